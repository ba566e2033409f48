/* collectives/algorithms/composite.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_flow. */
/*
 * Collectives without a root as two with root 0: barrier: reduce and broadcast nothing; allreduce:
 * reduce, bcast; allgather: gather, bcast; reduce_scatter: reduce, scatter.
 * docs/collectives.md, section 2.11.
 */
#include "algorithms/class_private.h"

const coll_algorithm_class coll_composite_class = {
    .name = "composite",
    .phases =
        {
            [COLL_BARRIER] = {&coll_binomial_reduce, &coll_binomial_bcast},
            [COLL_ALLREDUCE] = {&coll_binomial_reduce, &coll_binomial_bcast},
            [COLL_ALLGATHER] = {&coll_far_gather, &coll_binomial_bcast},
            [COLL_ALLGATHERV] = {&coll_far_gather, &coll_binomial_bcast},
            [COLL_REDUCE_SCATTER] = {&coll_binomial_reduce, &coll_far_scatter},
            [COLL_REDUCE_SCATTER_BLOCK] = {&coll_binomial_reduce, &coll_far_scatter},
        },
};
