/* collectives/algorithms/round_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What every algorithm is made of: rounds. A round is at most one message out and one message
 * in, which overlap, then the reduction of what came in. An algorithm is a function from (call,
 * position) to the round at that position; a collective runs one such function, or several, one
 * after the other (its phases).
 */
#pragma once

#include "coll/kind.h"

typedef struct coll_round {
    int64_t send;    /* bytes */
    int64_t recv;    /* bytes */
    int64_t combine; /* bytes of reduction work after the receive */
    uint32_t to;     /* COLL_NOBODY: nothing is sent */
    uint32_t from;   /* COLL_NOBODY: nothing is received */
} coll_round;

/**
 * Fill in the round at @p position (from 0 on) for call->rank. @p round comes with nobody and
 * zeros in it; left so, the round is skipped. O(log size) at worst; O(num_counts) where a run of
 * blocks of a v-collective must be summed up. @return false when there are no more rounds
 */
typedef bool coll_round_fn(const coll_call *call, uint32_t position, coll_round *round);

/** (a + d) mod size and (a - d) mod size, for a, d < size. */
static inline uint32_t coll_rank_plus(uint32_t a, uint32_t d, uint32_t size)
{
    return d < size - a ? a + d : a - (size - d);
}
static inline uint32_t coll_rank_minus(uint32_t a, uint32_t d, uint32_t size)
{
    return a >= d ? a - d : a + (size - d);
}
/** Trees are built on virtual ranks: the root is 0. */
static inline uint32_t coll_rank_virtual(const coll_call *call)
{
    return coll_rank_minus(call->rank, call->root, call->size);
}
static inline uint32_t coll_rank_actual(const coll_call *call, uint32_t virtual_rank)
{
    return coll_rank_plus(virtual_rank, call->root, call->size);
}

/** floor(log2(x)), x >= 1. */
static inline uint32_t coll_log2_floor(uint32_t x)
{
    return 31 - (uint32_t)__builtin_clz(x);
}
/** ceil(log2(x)), x >= 1. */
static inline uint32_t coll_log2_ceil(uint32_t x)
{
    return x == 1 ? 0 : 1 + coll_log2_floor(x - 1);
}

static inline void coll_round_send(coll_round *round, uint32_t to, int64_t bytes)
{
    round->to = to;
    round->send = bytes;
}
static inline void coll_round_recv(coll_round *round, uint32_t from, int64_t bytes)
{
    round->from = from;
    round->recv = bytes;
}
static inline void coll_round_reduce(coll_round *round, uint32_t from, int64_t bytes)
{
    coll_round_recv(round, from, bytes);
    round->combine = bytes;
}
