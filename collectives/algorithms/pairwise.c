/* collectives/algorithms/pairwise.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_flow, test_coll_counts. */
/*
 * Every rank with every other one, one exchange at a time; docs/collectives.md, section 2.9.
 * In alltoallv and alltoallw both ends know when there is nothing to move, and no message is
 * sent; such rounds are passed over one by one.
 */
#include "algorithms/bytes_private.h"
#include "algorithms/class_private.h"

static void exchange(const coll_call *call, uint32_t to, uint32_t from, coll_round *round)
{
    const int64_t send = coll_bytes_to(call, to);
    const int64_t recv = coll_bytes_from(call, from);
    const bool is_sparse = coll_kind_has_pairs(call->kind);
    if (send > 0 || !is_sparse) {
        coll_round_send(round, to, send);
    }
    if (recv > 0 || !is_sparse) {
        coll_round_recv(round, from, recv);
    }
}

/* In step t, r sends to r + t and receives from r - t. */
static bool shifted_round(const coll_call *call, uint32_t position, coll_round *round)
{
    if (position >= call->size - 1) {
        return false;
    }
    exchange(call, coll_rank_plus(call->rank, position + 1, call->size),
             coll_rank_minus(call->rank, position + 1, call->size), round);
    return true;
}

/* In step t, r and r xor t exchange, where that is a rank for every t; else as above. */
static bool paired_round(const coll_call *call, uint32_t position, coll_round *round)
{
    if ((call->size & (call->size - 1)) != 0) {
        return shifted_round(call, position, round);
    }
    if (position >= call->size - 1) {
        return false;
    }
    const uint32_t partner = call->rank ^ (position + 1);
    exchange(call, partner, partner, round);
    return true;
}

/* Every rank gets the contributions to its block from each of the others. */
static bool reduce_scatter_round(const coll_call *call, uint32_t position, coll_round *round)
{
    if (position >= call->size - 1) {
        return false;
    }
    const uint32_t to = coll_rank_plus(call->rank, position + 1, call->size);
    coll_round_send(round, to, coll_block_bytes(call, to));
    coll_round_reduce(round, coll_rank_minus(call->rank, position + 1, call->size),
                      coll_block_bytes(call, call->rank));
    return true;
}

/* A rank meets each of the others once, in whatever order. */
static uint64_t exchange_steps(const coll_call *call)
{
    if (!coll_kind_has_pairs(call->kind)) {
        return 2 * (uint64_t)(call->size - 1);
    }
    const uint32_t most = call->num_counts < call->size ? call->num_counts : call->size;
    const uint32_t period = most > 0 ? most : 1;
    uint64_t n = 0;
    for (uint32_t i = 0; i < period; i++) {
        const uint32_t peers = (call->size - i + period - 1) / period - (call->rank % period == i);
        n += (uint64_t)peers * ((coll_bytes_to(call, i) > 0) + (coll_bytes_from(call, i) > 0));
    }
    return n;
}

static bool paired_rotates(const coll_call *call)
{
    const bool is_shifted = (call->size & (call->size - 1)) != 0;
    return is_shifted && coll_blocks_are_equal(call);
}

const coll_phase coll_shifted_alltoall = {
    .round = shifted_round,
    .rotates = coll_blocks_are_equal,
    .num_steps = exchange_steps,
    .payload = COLL_CARRIES_PAIR,
};

static const coll_phase PAIRED = {
    .round = paired_round,
    .rotates = paired_rotates,
    .mirrors = coll_blocks_are_mirrored,
    .num_steps = exchange_steps,
    .payload = COLL_CARRIES_PAIR,
};

static const coll_phase REDUCE_SCATTER = {
    .round = reduce_scatter_round,
    .rotates = coll_blocks_are_equal,
    .payload = COLL_CARRIES_OWN,
};

const coll_algorithm_class coll_pairwise_class = {
    .name = "pairwise",
    .max_rounds = coll_rounds_linear,
    .phases =
        {
            [COLL_ALLTOALL] = {&PAIRED},
            [COLL_ALLTOALLV] = {&PAIRED},
            [COLL_ALLTOALLW] = {&PAIRED},
            [COLL_REDUCE_SCATTER] = {&REDUCE_SCATTER},
            [COLL_REDUCE_SCATTER_BLOCK] = {&REDUCE_SCATTER},
        },
};
