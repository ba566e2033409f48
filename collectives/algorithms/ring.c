/* collectives/algorithms/ring.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every rank sends to the next one only; collectives.md section 2, numbers 6, 14 and 15. The
 * chains of bcast and reduce move the whole vector at once.
 */
#include "algorithms/bytes_private.h"
#include "algorithms/round_private.h"

bool coll_ring_bcast(const coll_call *call, uint32_t position, coll_round *round)
{
    const uint32_t v = coll_rank_virtual(call);
    if (position == 0 && v > 0) {
        coll_round_recv(round, coll_rank_actual(call, v - 1), coll_whole_bytes(call));
    } else if (position == 1 && v < call->size - 1) {
        coll_round_send(round, coll_rank_actual(call, v + 1), coll_whole_bytes(call));
    }
    return position < 2;
}

bool coll_ring_reduce(const coll_call *call, uint32_t position, coll_round *round)
{
    const uint32_t v = coll_rank_virtual(call);
    if (position == 0 && v < call->size - 1) {
        coll_round_reduce(round, coll_rank_actual(call, v + 1), coll_whole_bytes(call));
    } else if (position == 1 && v > 0) {
        coll_round_send(round, coll_rank_actual(call, v - 1), coll_whole_bytes(call));
    }
    return position < 2;
}

/* Block b starts at rank b + 1 and collects all contributions on its way round to b. */
bool coll_ring_reduce_scatter(const coll_call *call, uint32_t position, coll_round *round)
{
    if (position >= call->size - 1) {
        return false;
    }
    const uint32_t before = coll_rank_minus(call->rank, 1, call->size);
    const uint32_t out = coll_rank_minus(before, position, call->size);
    const uint32_t in = coll_rank_minus(out, 1, call->size);
    coll_round_send(round, coll_rank_plus(call->rank, 1, call->size), coll_block_bytes(call, out));
    coll_round_reduce(round, before, coll_block_bytes(call, in));
    return true;
}

/* Block b starts at rank b. */
bool coll_ring_allgather(const coll_call *call, uint32_t position, coll_round *round)
{
    if (position >= call->size - 1) {
        return false;
    }
    const uint32_t out = coll_rank_minus(call->rank, position, call->size);
    const uint32_t in = coll_rank_minus(out, 1, call->size);
    coll_round_send(round, coll_rank_plus(call->rank, 1, call->size), coll_block_bytes(call, out));
    coll_round_recv(round, coll_rank_minus(call->rank, 1, call->size), coll_block_bytes(call, in));
    return true;
}
