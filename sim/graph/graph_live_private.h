/* sim/graph/graph_live_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Operations of a rank some of whose edges are satisfied: they are alive. There are few of these at
 * any time. The first lies with all else that a run keeps of its rank; the next ones lie close
 * together, the last taking the place of one that goes, so that a few lines of the cache hold them
 * however many a rank has had. Where they are too many to be searched, they go into a hash table.
 */
#pragma once

#include "sim/program.h"

typedef struct graph_live {
    sim_time ready; /* the latest instant it depends on so far */
    uint32_t op;    /* SIM_ANY: a free place */
    uint32_t waits; /* edges not yet satisfied */
    uint32_t cause; /* whose instant ready is */
    bool at_start;  /* it is the start of the cause, not its finish */
} graph_live;

typedef enum {
    LIVE_ONE,       /* there is room for `own` alone */
    LIVE_FEW,       /* there are LIVE_MOST_FEW more */
    LIVE_MORE,      /* there are LIVE_MOST_MORE more */
    LIVE_HASHED = 5 /* and above: they are in a hash table, this is the logarithm of its slots */
} live_form;

#define LIVE_MOST_FEW  5U /* two lines */
#define LIVE_MOST_MORE 13U

/* How far a run has come in a rank. */
typedef struct cursor_rank {
    const char *ops;
    graph_live *more; /* those alive but for own; LIVE_HASHED: all */
    union {
        uint64_t window; /* bit i: operation low + i has finished */
        uint64_t *bits;  /* low is SIM_ANY: a bit for each */
    };
    uint32_t low;       /* so many have finished without a gap; SIM_ANY: see the bits */
    uint32_t remaining; /* operations not ready yet */
    uint32_t num_live;
    uint16_t dictionary; /* which of the graph's */
    uint8_t form;        /* of its operations: graph_form */
    uint8_t live;        /* live_form */
    graph_live own;      /* the first; its op is SIM_ANY if there is none, or they are hashed */
} cursor_rank;

_Static_assert(sizeof(cursor_rank) == 64, "a rank is a line");

/* ---- graph_live.c: hash tables, and making room ---- */

graph_live *sim_graph_live_find_hashed(const cursor_rank *r, uint32_t op);
graph_live *sim_graph_live_new_hashed(cursor_rank *r, uint32_t op);
void sim_graph_live_remove_hashed(cursor_rank *r, graph_live *gone);
/** A hint that @p op will be looked for. */
void sim_graph_live_prefetch_hashed(const cursor_rank *r, uint32_t op);
/** Room for more of them, in the next form. Rare: a rank grows to what it has alive, once. */
void sim_graph_live_grow(cursor_rank *r);

static inline bool graph_live_is_full(const cursor_rank *r)
{
    static const uint32_t most[] = {
        [LIVE_ONE] = 1, [LIVE_FEW] = 1 + LIVE_MOST_FEW, [LIVE_MORE] = 1 + LIVE_MOST_MORE};
    return r->num_live == most[r->live];
}

/** NULL: it is not alive. */
static inline graph_live *graph_live_find(cursor_rank *r, uint32_t op)
{
    if (r->own.op == op) {
        return &r->own;
    }
    if (__builtin_expect(r->live >= LIVE_HASHED, 0)) {
        return sim_graph_live_find_hashed(r, op);
    }
    for (uint32_t k = 1; k < r->num_live; k++) {
        if (r->more[k - 1].op == op) {
            return &r->more[k - 1];
        }
    }
    return NULL;
}

/** A place for @p op, which was not alive; all of it is to be written. */
static inline graph_live *graph_live_new(cursor_rank *r, uint32_t op)
{
    if (r->live < LIVE_HASHED && graph_live_is_full(r)) {
        sim_graph_live_grow(r);
    }
    if (__builtin_expect(r->live >= LIVE_HASHED, 0)) {
        return sim_graph_live_new_hashed(r, op);
    }
    const uint32_t k = r->num_live++;
    return k == 0 ? &r->own : &r->more[k - 1];
}

static inline void graph_live_remove(cursor_rank *r, graph_live *gone)
{
    if (__builtin_expect(r->live >= LIVE_HASHED, 0)) {
        sim_graph_live_remove_hashed(r, gone);
        return;
    }
    const uint32_t last = --r->num_live;
    if (last == 0) {
        r->own.op = SIM_ANY;
    } else {
        *gone = r->more[last - 1];
    }
}

/** A hint that the rank will be asked for one of them. */
static inline void graph_live_prefetch(const cursor_rank *r)
{
    if (r->num_live > 1 && r->live < LIVE_HASHED) {
        for (size_t at = 0; at < (r->num_live - 1) * sizeof *r->more; at += 64) {
            __builtin_prefetch((const char *)r->more + at, 1);
        }
    }
}
