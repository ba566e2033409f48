/* collectives/algorithms/ring.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_flow, test_coll_cost. */
/*
 * Every rank sends to the next one only; docs/collectives.md, section 2.7. The
 * chains of bcast and reduce move the whole vector at once.
 */
#include "algorithms/bytes_private.h"
#include "algorithms/class_private.h"

static bool bcast_round(const coll_call *call, uint32_t position, coll_round *round)
{
    const uint32_t v = coll_rank_virtual(call);
    if (position == 0 && v > 0) {
        coll_round_recv(round, coll_rank_actual(call, v - 1), coll_whole_bytes(call));
    } else if (position == 1 && v < call->size - 1) {
        coll_round_send(round, coll_rank_actual(call, v + 1), coll_whole_bytes(call));
    }
    return position < 2;
}

static bool reduce_round(const coll_call *call, uint32_t position, coll_round *round)
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
static bool reduce_scatter_round(const coll_call *call, uint32_t position, coll_round *round)
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
static bool allgather_round(const coll_call *call, uint32_t position, coll_round *round)
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

static const coll_phase BCAST = {
    .round = bcast_round,
    .payload = COLL_CARRIES_ALL,
};

static const coll_phase REDUCE = {
    .round = reduce_round,
    .payload = COLL_CARRIES_ALL,
};

static const coll_phase REDUCE_SCATTER = {
    .round = reduce_scatter_round,
    .rotates = coll_blocks_are_equal,
    .payload = COLL_CARRIES_ROUNDTRIP,
};

static const coll_phase ALLGATHER = {
    .round = allgather_round,
    .rotates = coll_blocks_are_equal,
    .payload = COLL_CARRIES_MISSING,
};

const coll_algorithm_class coll_ring_class = {
    .name = "ring",
    .max_rounds = coll_rounds_linear,
    .phases =
        {
            [COLL_BCAST] = {&BCAST},
            [COLL_REDUCE] = {&REDUCE},
            [COLL_ALLREDUCE] = {&REDUCE_SCATTER, &ALLGATHER},
            [COLL_ALLGATHER] = {&ALLGATHER},
            [COLL_ALLGATHERV] = {&ALLGATHER},
            [COLL_REDUCE_SCATTER] = {&REDUCE_SCATTER},
            [COLL_REDUCE_SCATTER_BLOCK] = {&REDUCE_SCATTER},
        },
};
