/* sim/pending_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What ranks have before them: pending items in pairing heaps, all from one pool.
 *
 * CPU work of a rank is sorted into classes (kind, cpu, nic, delay). In a class, every start is
 * max(own instant, something common to the class), so the item with the least own instant can
 * start earliest, and an item whose instant has been passed by the common one is as good as any
 * other that has: among those, the one that became ready first goes first. That is the order of
 * simulation-model.md section 3 at O(log n) per item, however many wait.
 */
#pragma once

#include "sim/program.h"

#define PENDING_NONE 0U /* index 0 of every pool is nobody */

/*
 * Order of the CPU kinds: section 3. Order of the network events: docs/model.md, "Ties".
 */
typedef enum {
    PENDING_SEND,
    PENDING_RECEIVE, /* polling: a matched receive; async: accepting a message */
    PENDING_CALC,
    PENDING_RELEASE, /* instant rendezvous: message and receive have met */
    PENDING_CLEAR,   /* handshake rendezvous: the clear-to-send is back */
    PENDING_POST,    /* a receive is posted */
    PENDING_ARRIVAL, /* an eager message, a rendezvous message or a request arrives */
} pending_kind;

typedef struct pending_item {
    sim_time key;   /* earliest start as far as this item decides it; network: when */
    sim_time ready; /* when it became ready */
    uint64_t tie;   /* operation index; accept, arrival: source rank << 32 | send order */
    uint32_t child; /* pairing heap */
    uint32_t sibling;
    sim_time posted;  /* receive: when its operation became ready */
    int64_t size;     /* of the operation */
    uint32_t index;   /* of the operation in its rank */
    uint32_t cause;   /* sim_ready.cause */
    uint32_t peer;    /* of the operation */
    uint32_t tag;     /* of the operation */
    uint32_t comm;    /* of the operation */
    uint32_t message; /* receive that is matched, accept, network events: in the message pool */
    uint8_t kind;
    uint8_t cpu;
    uint8_t nic;
} pending_item;

/* Non-empty, and in the list of its rank. */
typedef struct pending_class {
    sim_time delay;   /* polling receives: b·G - b·O where positive, else 0 */
    uint32_t next;    /* class of the same rank */
    uint32_t waiting; /* heap by (key, ready, tie) */
    uint32_t ripe;    /* heap by (ready, tie): delay > 0 and key passed */
    uint8_t kind;
    uint8_t cpu;
    uint8_t nic;
} pending_class;

typedef struct pending_pool {
    pending_item *item;
    uint32_t num_items, cap_items, free_item;
    pending_class *class;
    uint32_t num_classes, cap_classes, free_class;
} pending_pool;

void sim_pending_init(pending_pool *pool);
void sim_pending_clear(pending_pool *pool);

/** A new item; its fields are not set. Earlier pointers to items may be void after this. */
uint32_t sim_pending_new(pending_pool *pool);
void sim_pending_drop(pending_pool *pool, uint32_t item);

/** Insert into the heap whose root is *@p root. O(1). */
void sim_pending_push(pending_pool *pool, uint32_t *root, uint32_t item);
/** Remove the least of a heap that is not empty. O(log n) amortised. */
uint32_t sim_pending_pop(pending_pool *pool, uint32_t *root);

/** Add CPU work to the list of classes *@p classes of a rank. O(classes of the rank). */
void sim_pending_add(pending_pool *pool, uint32_t *classes, uint32_t item, sim_time delay);
/**
 * The item of a class that goes first if everything in it can start at @p common at the
 * earliest. @p start: when. @p common never decreases from call to call.
 */
uint32_t sim_pending_first(pending_pool *pool, uint32_t class, sim_time common, sim_time *start);
/** Take out what sim_pending_first() has just returned; the class goes with its last item. */
void sim_pending_take(pending_pool *pool, uint32_t *classes, uint32_t class);
