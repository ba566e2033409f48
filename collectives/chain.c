/* collectives/chain.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collectives as chains (sim/chain.h): in which of them all ranks do the same, each with the
 * partners at the same distances from itself.
 */
#include "step_private.h"

/* Are all blocks that the ranks pass on of one length? */
static bool has_equal_blocks(const coll_call *call)
{
    if (call->kind == COLL_ALLREDUCE || call->kind == COLL_BCAST || call->kind == COLL_REDUCE) {
        return call->bytes % call->size == 0; /* parts of one vector */
    }
    return call->num_counts == 0;
}

static bool rotates(const coll_call *call, coll_round_fn *phase)
{
    if (phase == coll_dissemination_exchange || phase == coll_bruck_alltoall) {
        return true;
    }
    if (phase == coll_pairwise_alltoall && (call->size & (call->size - 1)) == 0) {
        return false; /* partners differ in bits */
    }
    return has_equal_blocks(call) &&
           (phase == coll_dissemination_allgather || phase == coll_bruck_allgather ||
            phase == coll_ring_allgather || phase == coll_ring_reduce_scatter ||
            phase == coll_shifted_alltoall || phase == coll_pairwise_alltoall ||
            phase == coll_pairwise_reduce_scatter);
}

bool coll_call_rotates(const coll_call *call, coll_algorithm algorithm)
{
    coll_round_fn *const *phases = coll_plan(algorithm, call->kind);
    for (; *phases != NULL; phases++) {
        if (!rotates(call, *phases)) {
            return false;
        }
    }
    return true;
}
