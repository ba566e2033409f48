/* collectives/algorithms/dissemination.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_flow, test_coll_cost. */
/*
 * In round i, r sends to r + 2^i and receives from r - 2^i; docs/collectives.md, section 2.4.
 */
#include "algorithms/bytes_private.h"
#include "algorithms/class_private.h"
#include "coll/walk.h"

/*
 * Barrier and allreduce: all that is known, in every round. An allreduce over a number of ranks
 * that is no power of two lets some contributions arrive twice: correct for maximum, and, or; for
 * other operations only the time is right.
 */
static bool exchange_round(const coll_call *call, uint32_t position, coll_round *round)
{
    if (position >= coll_log2_ceil(call->size)) {
        return false;
    }
    const uint32_t d = 1U << position;
    coll_round_send(round, coll_rank_plus(call->rank, d, call->size), coll_whole_bytes(call));
    coll_round_reduce(round, coll_rank_minus(call->rank, d, call->size), coll_whole_bytes(call));
    return true;
}

/* Before the round with distance d, r holds the blocks of r-d+1 .. r; the last round moves no
 * more than the receiver lacks. */
static bool allgather_round(const coll_call *call, uint32_t position, coll_round *round)
{
    if (position >= coll_log2_ceil(call->size)) {
        return false;
    }
    const uint32_t d = 1U << position;
    const uint32_t n = d < call->size - d ? d : call->size - d;
    const uint32_t from = coll_rank_minus(call->rank, d, call->size);
    const uint32_t mine = coll_rank_minus(call->rank, n - 1, call->size);
    const uint32_t theirs = coll_rank_minus(from, n - 1, call->size);
    coll_round_send(round, coll_rank_plus(call->rank, d, call->size),
                    coll_blocks_bytes(call, mine, n));
    coll_round_recv(round, from, coll_blocks_bytes(call, theirs, n));
    return true;
}

/* Every message is the whole vector. */
static bool exchange_rotates(const coll_call *call)
{
    (void)call;
    return true;
}

static uint8_t exchange_course(const coll_call *call)
{
    (void)call;
    return COLL_COURSE_DISSEMINATION;
}

static const coll_phase EXCHANGE = {
    .round = exchange_round,
    .rotates = exchange_rotates,
    .course = exchange_course,
    .payload = COLL_CARRIES_ALL,
    .repeats = true,
};

static const coll_phase ALLGATHER = {
    .round = allgather_round,
    .rotates = coll_blocks_are_equal,
    .payload = COLL_CARRIES_MISSING,
};

const coll_algorithm_class coll_dissemination_class = {
    .name = "dissemination",
    .phases =
        {
            [COLL_BARRIER] = {&EXCHANGE},
            [COLL_ALLREDUCE] = {&EXCHANGE},
            [COLL_ALLGATHER] = {&ALLGATHER},
            [COLL_ALLGATHERV] = {&ALLGATHER},
            [COLL_ALLTOALL] = {&coll_bruck_alltoall},
        },
};
