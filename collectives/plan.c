/* collectives/plan.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which phases each algorithm has for each collective. An empty entry: the two do not go
 * together. A composition (barrier: reduce and broadcast nothing; allreduce: reduce, bcast; …)
 * is two phases of the root 0.
 */
#include "step_private.h"

#include <assert.h>

typedef coll_round_fn *phases[COLL_MAX_PHASE + 1];

static const phases LINEAR[COLL_NUM_KINDS] = {
    [COLL_BARRIER] = {coll_linear_reduce, coll_linear_bcast},
    [COLL_BCAST] = {coll_linear_bcast},
    [COLL_REDUCE] = {coll_linear_reduce},
    [COLL_ALLREDUCE] = {coll_linear_reduce, coll_linear_bcast},
    [COLL_GATHER] = {coll_linear_gather},
    [COLL_GATHERV] = {coll_linear_gather},
    [COLL_SCATTER] = {coll_linear_scatter},
    [COLL_SCATTERV] = {coll_linear_scatter},
    [COLL_ALLGATHER] = {coll_linear_gather, coll_linear_bcast},
    [COLL_ALLGATHERV] = {coll_linear_gather, coll_linear_bcast},
    [COLL_ALLTOALL] = {coll_shifted_alltoall},
    [COLL_ALLTOALLV] = {coll_shifted_alltoall},
    [COLL_ALLTOALLW] = {coll_shifted_alltoall},
    [COLL_REDUCE_SCATTER] = {coll_linear_reduce, coll_linear_scatter},
    [COLL_REDUCE_SCATTER_BLOCK] = {coll_linear_reduce, coll_linear_scatter},
    [COLL_SCAN] = {coll_scan_linear},
    [COLL_EXSCAN] = {coll_scan_linear},
};

static const phases BINOMIAL[COLL_NUM_KINDS] = {
    [COLL_BCAST] = {coll_binomial_bcast},
    [COLL_REDUCE] = {coll_binomial_reduce},
};

static const phases BINOMIAL_FAR[COLL_NUM_KINDS] = {
    [COLL_BCAST] = {coll_far_bcast},
    [COLL_REDUCE] = {coll_far_reduce},
    [COLL_GATHER] = {coll_far_gather},
    [COLL_SCATTER] = {coll_far_scatter},
};

static const phases DISSEMINATION[COLL_NUM_KINDS] = {
    [COLL_BARRIER] = {coll_dissemination_exchange},
    [COLL_ALLREDUCE] = {coll_dissemination_exchange},
    [COLL_ALLGATHER] = {coll_dissemination_allgather},
    [COLL_ALLGATHERV] = {coll_dissemination_allgather},
    [COLL_ALLTOALL] = {coll_bruck_alltoall},
};

static const phases RECURSIVE_DOUBLING[COLL_NUM_KINDS] = {
    [COLL_BARRIER] = {coll_doubling_exchange},    [COLL_ALLREDUCE] = {coll_doubling_exchange},
    [COLL_ALLGATHER] = {coll_doubling_allgather}, [COLL_ALLGATHERV] = {coll_doubling_allgather},
    [COLL_SCAN] = {coll_scan_doubling},           [COLL_EXSCAN] = {coll_scan_doubling},
};

static const phases RECURSIVE_HALVING[COLL_NUM_KINDS] = {
    [COLL_REDUCE] = {coll_halving_rooted, coll_halving_gather},
    [COLL_ALLREDUCE] = {coll_halving_split, coll_halving_join},
    [COLL_REDUCE_SCATTER] = {coll_halving_reduce_scatter},
    [COLL_REDUCE_SCATTER_BLOCK] = {coll_halving_reduce_scatter},
};

static const phases RING[COLL_NUM_KINDS] = {
    [COLL_BCAST] = {coll_ring_bcast},
    [COLL_REDUCE] = {coll_ring_reduce},
    [COLL_ALLREDUCE] = {coll_ring_reduce_scatter, coll_ring_allgather},
    [COLL_ALLGATHER] = {coll_ring_allgather},
    [COLL_ALLGATHERV] = {coll_ring_allgather},
    [COLL_REDUCE_SCATTER] = {coll_ring_reduce_scatter},
    [COLL_REDUCE_SCATTER_BLOCK] = {coll_ring_reduce_scatter},
};

static const phases BRUCK[COLL_NUM_KINDS] = {
    [COLL_ALLGATHER] = {coll_bruck_allgather},
    [COLL_ALLGATHERV] = {coll_bruck_allgather},
    [COLL_ALLTOALL] = {coll_bruck_alltoall},
};

static const phases PAIRWISE[COLL_NUM_KINDS] = {
    [COLL_ALLTOALL] = {coll_pairwise_alltoall},
    [COLL_ALLTOALLV] = {coll_pairwise_alltoall},
    [COLL_ALLTOALLW] = {coll_pairwise_alltoall},
    [COLL_REDUCE_SCATTER] = {coll_pairwise_reduce_scatter},
    [COLL_REDUCE_SCATTER_BLOCK] = {coll_pairwise_reduce_scatter},
};

static const phases SCATTER_ALLGATHER[COLL_NUM_KINDS] = {
    [COLL_BCAST] = {coll_far_scatter, coll_bruck_allgather},
};

static const phases COMPOSITE[COLL_NUM_KINDS] = {
    [COLL_BARRIER] = {coll_binomial_reduce, coll_binomial_bcast},
    [COLL_ALLREDUCE] = {coll_binomial_reduce, coll_binomial_bcast},
    [COLL_ALLGATHER] = {coll_far_gather, coll_binomial_bcast},
    [COLL_ALLGATHERV] = {coll_far_gather, coll_binomial_bcast},
    [COLL_REDUCE_SCATTER] = {coll_binomial_reduce, coll_far_scatter},
    [COLL_REDUCE_SCATTER_BLOCK] = {coll_binomial_reduce, coll_far_scatter},
};

static const phases *const PLANS[COLL_NUM_ALGORITHMS] = {
    [COLL_ALG_LINEAR] = LINEAR,
    [COLL_ALG_BINOMIAL] = BINOMIAL,
    [COLL_ALG_BINOMIAL_FAR] = BINOMIAL_FAR,
    [COLL_ALG_DISSEMINATION] = DISSEMINATION,
    [COLL_ALG_RECURSIVE_DOUBLING] = RECURSIVE_DOUBLING,
    [COLL_ALG_RECURSIVE_HALVING] = RECURSIVE_HALVING,
    [COLL_ALG_RING] = RING,
    [COLL_ALG_BRUCK] = BRUCK,
    [COLL_ALG_PAIRWISE] = PAIRWISE,
    [COLL_ALG_SCATTER_ALLGATHER] = SCATTER_ALLGATHER,
    [COLL_ALG_COMPOSITE] = COMPOSITE,
};

coll_round_fn *const *coll_plan(coll_algorithm algorithm, coll_kind kind)
{
    static const phases no_steps = {NULL};
    assert(algorithm < COLL_NUM_ALGORITHMS && kind < COLL_NUM_KINDS);
    return algorithm == COLL_ALG_NONE ? no_steps : PLANS[algorithm][kind];
}
