/* tests/collectives/algorithms/flow_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What flow.c, flow_blocks.c and flow_rendezvous.c share: a collective under way on symbols.
 */
#pragma once

#include "algorithms/class_private.h"
#include "flow.h"

typedef uint64_t rank_set; /* bit r: rank r */

typedef struct flow_message {
    rank_set *blocks; /* [num_blocks] the sender's, when it sent */
    int64_t bytes;
    uint32_t number;  /* how many the sender had sent before */
    uint32_t trades;  /* how many of these were exchanges */
    bool is_exchange; /* the sender receives in the same stage */
    uint8_t phase;
} flow_message;

typedef struct flow {
    const calls_spec *spec;
    const coll_phase *const *phases;
    uint32_t p;
    uint32_t num_blocks;
    GArray **steps;    /* [p] of calls_step */
    uint32_t *at;      /* [p] next step */
    uint32_t *sent;    /* [p] messages sent */
    uint32_t *traded;  /* [p] of these in exchanges */
    uint32_t *parent;  /* [p] in a scatter */
    uint32_t *member;  /* [p] recursive halving: number in the core */
    rank_set *has;     /* [p][num_blocks] */
    rank_set *lower;   /* [p] scan: contributions of lower ranks in the result */
    int64_t *combined; /* [p] bytes to be combined now */
    GQueue *wire;      /* [p][p] of flow_message */
    char *wrong;
} flow;

/* flow_blocks.c: what MPI says of the blocks, and what the algorithm says of its messages. */

bool flow_is_scan(coll_kind kind);
/** Into how many blocks is the payload cut? */
uint32_t flow_count_blocks(const calls_spec *spec, const coll_phase *const *phases);
int64_t flow_block_bytes(const flow *f, uint32_t b);
/** Whose contributions make block @p b complete? */
rank_set flow_complete(const flow *f, uint32_t b);
/** Does MPI say that @p rank ends with block @p b complete? */
bool flow_must_end_with(const flow *f, uint32_t rank, uint32_t b);
coll_payload flow_payload(const flow *f, const flow_message *m);
/** Is block @p b in message @p m? */
bool flow_carries(const flow *f, uint32_t from, uint32_t to, const flow_message *m, uint32_t b);
/** The tree of a scatter, and the numbers in the core, as the steps show them. */
void flow_find_roles(flow *f);

/* flow_rendezvous.c */

/** The same steps, where a send goes no further than its receive: does everyone get through? */
void flow_check_rendezvous(flow *f);

/* flow.c */

/** Remember the first thing that is wrong. */
G_GNUC_PRINTF(2, 3) void flow_fail(flow *f, const char *format, ...);
/** Step @p i of @p rank; NULL: there are no more. */
const coll_step *flow_step(const flow *f, uint32_t rank, uint32_t i);
/** Is step @p i of @p rank a send whose receive comes in the same stage? */
bool flow_is_exchange(const flow *f, uint32_t rank, uint32_t i);

static inline rank_set flow_only(uint32_t rank)
{
    return (rank_set)1 << rank;
}
