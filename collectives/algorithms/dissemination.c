/* collectives/algorithms/dissemination.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In round i, r sends to r + 2^i and receives from r - 2^i; collectives.md section 2, number 9.
 */
#include "algorithms/bytes_private.h"
#include "algorithms/round_private.h"

/*
 * Barrier and allreduce: all that is known, in every round. An allreduce over a number of ranks
 * that is no power of two lets some contributions arrive twice: right for operations that do
 * not mind (maximum, and, or), a model of the time for the others.
 */
bool coll_dissemination_exchange(const coll_call *call, uint32_t position, coll_round *round)
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
bool coll_dissemination_allgather(const coll_call *call, uint32_t position, coll_round *round)
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
