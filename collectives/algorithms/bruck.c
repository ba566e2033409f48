/* collectives/algorithms/bruck.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_flow, test_coll_cost. */
/*
 * Bruck's algorithms; docs/collectives.md, section 2.8. Their local rotations cost
 * nothing here.
 */
#include "algorithms/bytes_private.h"
#include "algorithms/class_private.h"

/* Before the step with distance d, r holds the blocks of r .. r+d-1. */
static bool allgather_round(const coll_call *call, uint32_t position, coll_round *round)
{
    if (position >= coll_log2_ceil(call->size)) {
        return false;
    }
    const uint32_t d = 1U << position;
    const uint32_t n = d < call->size - d ? d : call->size - d;
    const uint32_t from = coll_rank_plus(call->rank, d, call->size);
    coll_round_send(round, coll_rank_minus(call->rank, d, call->size),
                    coll_blocks_bytes(call, call->rank, n));
    coll_round_recv(round, from, coll_blocks_bytes(call, from, n));
    return true;
}

/* A block that must travel a distance i does so in one hop for each bit of i. */
static bool alltoall_round(const coll_call *call, uint32_t position, coll_round *round)
{
    if (position >= coll_log2_ceil(call->size)) {
        return false;
    }
    const uint32_t d = 1U << position;
    /* How many of 0 .. size-1 have bit d: d in each full period of 2d, the end of the last. */
    const uint32_t rest = call->size & (2 * d - 1);
    const uint32_t n = (call->size - rest) / 2 + (rest > d ? rest - d : 0);
    const int64_t bytes = coll_times_bytes(call, n);
    coll_round_send(round, coll_rank_plus(call->rank, d, call->size), bytes);
    coll_round_recv(round, coll_rank_minus(call->rank, d, call->size), bytes);
    return true;
}

/* Every message has as many blocks, all of one length. */
static bool alltoall_rotates(const coll_call *call)
{
    (void)call;
    return true;
}

const coll_phase coll_bruck_allgather = {
    .round = allgather_round,
    .rotates = coll_blocks_are_equal,
    .payload = COLL_CARRIES_MISSING,
};

const coll_phase coll_bruck_alltoall = {
    .round = alltoall_round,
    .rotates = alltoall_rotates,
    .payload = COLL_CARRIES_BITS,
};

const coll_algorithm_class coll_bruck_class = {
    .name = "bruck",
    .phases =
        {
            [COLL_ALLGATHER] = {&coll_bruck_allgather},
            [COLL_ALLGATHERV] = {&coll_bruck_allgather},
            [COLL_ALLTOALL] = {&coll_bruck_alltoall},
        },
};
