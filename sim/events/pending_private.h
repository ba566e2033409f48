/* sim/events/pending_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The pending items of spilled event lists: pairing heaps, all from one pool.
 *
 * CPU work of a rank is sorted into classes (kind, cpu, nic). In a class, an item can start at
 * max(its own instant, CPU free, interface free + its delay), where only receives under polling
 * have a delay. While its own instant decides, an item is *waiting*, in a heap; once it does not
 * (and the clocks only advance), it is in the *ready set*. Without delays all ready items of a
 * class start at one instant and leaving them in the heap changes nothing; nor does it where all
 * delays are equal and the heap has them in the order in which they became ready. Otherwise they
 * are in a search tree by delay (ready_set.c). So the order of docs/model.md, section 4.1,
 * costs O(log n) per item, however many wait.
 */
#pragma once

#include "events/event_list_private.h"

#define PENDING_NONE 0U /* index 0 of every pool is nobody */

/*
 * Operations that are pending, messages to be accepted, events; also what waits for a partner. A
 * line of the cache: what decides between items at one instant is worked out when it is needed.
 */
typedef struct pending_item {
    sim_time key; /* earliest start as far as this item decides it; event: when; in a tree: delay */
    uint32_t child;   /* heap; tree: left */
    uint32_t sibling; /* heap; tree: right */
    uint32_t best;    /* receive, in a tree: what goes first in its subtree, delays apart */
    event_item item;
} pending_item;

_Static_assert(sizeof(pending_item) == 64, "a line of the cache");

/*
 * CPU work by (key, ready, tie), of one class; events by (key, kind, tie). Those that came in order
 * lie in a row, which costs nothing to take from; the others are in a pairing heap. All zero: it is
 * empty.
 */
typedef struct pending_heap {
    uint32_t root;        /* of the pairing heap */
    uint32_t first, last; /* of the row, linked by their siblings; no first: there is none */
} pending_heap;

/* Non-empty, and in the list of its rank. */
typedef struct pending_class {
    uint32_t next; /* class of the same rank */
    pending_heap waiting;
    uint32_t ready_set;   /* tree by (delay, ready, tie) */
    uint32_t first_ready; /* what sim_pending_first() returned, if it was ready */
    sim_time delay;       /* of every item so far, if plain: b·G - b·O where positive, else 0 */
    bool plain;           /* all items so far have one delay, and none was posted after its message
                             came */
    uint8_t kind;
    uint8_t cpu;
    uint8_t nic;
} pending_class;

typedef struct pending_pool {
    event_list *list; /* whose items these are */
    pending_item *item;
    event_cause *cause; /* [cap_items] if causes are kept, else NULL */
    uint32_t num_items, cap_items, free_item;
    pending_class *class;
    uint32_t num_classes, cap_classes, free_class;
    bool delays; /* some receives may have one */
} pending_pool;

/** For the items of @p list, which stays where it is. */
void sim_pending_init(pending_pool *pool, event_list *list);
void sim_pending_clear(pending_pool *pool);

/** A new item; its fields are not set. Earlier pointers to items may be void after this. */
uint32_t sim_pending_new(pending_pool *pool);
void sim_pending_drop(pending_pool *pool, uint32_t item);

/** An event, whose key is known. O(1). */
void sim_pending_push(pending_pool *pool, pending_heap *heap, uint32_t item);
/** The least; PENDING_NONE: the heap is empty. */
uint32_t sim_pending_top(const pending_pool *pool, const pending_heap *heap);
/** Remove the least of a heap that is not empty. O(log n) amortised. */
uint32_t sim_pending_pop(pending_pool *pool, pending_heap *heap);

/** Add CPU work, whose key is set here, to the list of classes *@p classes of a rank. O(classes of
 * the rank). */
void sim_pending_add(pending_pool *pool, uint32_t *classes, uint32_t item);
/**
 * The item of a class that goes first, with its CPU free from @p cpu and its interface from
 * @p nic on; neither ever decreases. @p start: when it can start.
 */
uint32_t sim_pending_first(pending_pool *pool, uint32_t class, sim_time cpu, sim_time nic,
                           sim_time *start);
/** Take out and return what sim_pending_first() returned last; nothing was added since. */
uint32_t sim_pending_take(pending_pool *pool, uint32_t *classes, uint32_t class);

/* ---- ready_set.c ---- */

/** Put a receive, under polling, into the tree at *@p root; its key is its delay. O(log n)
 * expected. */
void sim_ready_set_add(pending_item *items, uint32_t *root, uint32_t item);
void sim_ready_set_remove(pending_item *items, uint32_t *root, uint32_t item);
/**
 * Of the items with delay <= @p most the one with the least (ready, tie); if there is none, the
 * one with the least (delay, ready, tie). The tree is not empty. O(log n) expected.
 */
uint32_t sim_ready_set_first(const pending_item *items, uint32_t root, sim_time most);
