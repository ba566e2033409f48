/* collectives/algorithms/linear.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_flow, test_coll_counts. */
/*
 * The root and each other rank in turn, 0 .. size-1; docs/collectives.md, section 2.1. Where a
 * call has counts, both ends know when there is nothing to move, and no message is sent.
 */
#include "algorithms/bytes_private.h"
#include "algorithms/class_private.h"

/* The root's partner at a position; COLL_NOBODY: through. */
static uint32_t partner_at(const coll_call *call, uint32_t position)
{
    if (position >= call->size - 1) {
        return COLL_NOBODY;
    }
    return position < call->root ? position : position + 1;
}

/* Both ends know of the counts. */
static bool is_skipped(const coll_call *call, int64_t bytes)
{
    return bytes == 0 && coll_kind_has_counts(call->kind);
}

static bool bcast_round(const coll_call *call, uint32_t position, coll_round *round)
{
    if (call->rank != call->root) {
        coll_round_recv(round, call->root, coll_whole_bytes(call));
        return position == 0;
    }
    coll_round_send(round, partner_at(call, position), coll_whole_bytes(call));
    return round->to != COLL_NOBODY;
}

static bool reduce_round(const coll_call *call, uint32_t position, coll_round *round)
{
    if (call->rank != call->root) {
        coll_round_send(round, call->root, coll_whole_bytes(call));
        return position == 0;
    }
    coll_round_reduce(round, partner_at(call, position), coll_whole_bytes(call));
    return round->from != COLL_NOBODY;
}

static bool gather_round(const coll_call *call, uint32_t position, coll_round *round)
{
    const bool is_root = call->rank == call->root;
    const uint32_t partner = is_root ? partner_at(call, position) : call->root;
    if (partner == COLL_NOBODY || (!is_root && position > 0)) {
        return false;
    }
    const int64_t bytes = coll_block_bytes(call, is_root ? partner : call->rank);
    if (!is_skipped(call, bytes) && is_root) {
        coll_round_recv(round, partner, bytes);
    } else if (!is_skipped(call, bytes)) {
        coll_round_send(round, partner, bytes);
    }
    return true;
}

static bool scatter_round(const coll_call *call, uint32_t position, coll_round *round)
{
    const bool is_root = call->rank == call->root;
    const uint32_t partner = is_root ? partner_at(call, position) : call->root;
    if (partner == COLL_NOBODY || (!is_root && position > 0)) {
        return false;
    }
    const int64_t bytes = coll_block_bytes(call, is_root ? partner : call->rank);
    if (!is_skipped(call, bytes) && is_root) {
        coll_round_send(round, partner, bytes);
    } else if (!is_skipped(call, bytes)) {
        coll_round_recv(round, partner, bytes);
    }
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

static const coll_phase GATHER = {
    .round = gather_round,
    .payload = COLL_CARRIES_MISSING,
};

static const coll_phase SCATTER = {
    .round = scatter_round,
    .payload = COLL_CARRIES_SUBTREE,
};

const coll_algorithm_class coll_linear_class = {
    .name = "linear",
    .max_rounds = coll_rounds_linear,
    .phases =
        {
            [COLL_BARRIER] = {&REDUCE, &BCAST},
            [COLL_BCAST] = {&BCAST},
            [COLL_REDUCE] = {&REDUCE},
            [COLL_ALLREDUCE] = {&REDUCE, &BCAST},
            [COLL_GATHER] = {&GATHER},
            [COLL_GATHERV] = {&GATHER},
            [COLL_SCATTER] = {&SCATTER},
            [COLL_SCATTERV] = {&SCATTER},
            [COLL_ALLGATHER] = {&GATHER, &BCAST},
            [COLL_ALLGATHERV] = {&GATHER, &BCAST},
            [COLL_ALLTOALL] = {&coll_shifted_alltoall},
            [COLL_ALLTOALLV] = {&coll_shifted_alltoall},
            [COLL_ALLTOALLW] = {&coll_shifted_alltoall},
            [COLL_REDUCE_SCATTER] = {&REDUCE, &SCATTER},
            [COLL_REDUCE_SCATTER_BLOCK] = {&REDUCE, &SCATTER},
            [COLL_SCAN] = {&coll_scan_linear},
            [COLL_EXSCAN] = {&coll_scan_linear},
        },
};
