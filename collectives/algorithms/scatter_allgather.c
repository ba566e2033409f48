/* collectives/algorithms/scatter_allgather.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_flow. */
/*
 * Broadcast of long vectors: the vector, cut into one part for each rank, is scattered along a
 * tree and then collected; docs/collectives.md, section 2.10.
 */
#include "algorithms/class_private.h"

const coll_algorithm_class coll_scatter_allgather_class = {
    .name = "scatter-allgather",
    .phases =
        {
            [COLL_BCAST] = {&coll_far_scatter, &coll_bruck_allgather},
        },
};
