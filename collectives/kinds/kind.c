/* collectives/kinds/kind.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "coll/kind.h"

#include <assert.h>
#include <stddef.h>
#include <strings.h>

const coll_kind_class coll_kind_table[COLL_NUM_KINDS] = {
    [COLL_BARRIER] = {.name = "barrier", .is_vector = true, .is_empty = true},
    [COLL_BCAST] = {.name = "bcast", .is_rooted = true, .is_vector = true},
    [COLL_REDUCE] = {.name = "reduce", .combines = true, .is_rooted = true, .is_vector = true},
    [COLL_ALLREDUCE] = {.name = "allreduce", .combines = true, .is_vector = true},
    [COLL_GATHER] = {.name = "gather", .is_rooted = true},
    [COLL_GATHERV] = {.name = "gatherv", .is_rooted = true, .recv_counts = COLL_COUNTS_ROOT},
    [COLL_SCATTER] = {.name = "scatter", .is_rooted = true},
    [COLL_SCATTERV] = {.name = "scatterv", .is_rooted = true, .send_counts = COLL_COUNTS_ROOT},
    [COLL_ALLGATHER] = {.name = "allgather"},
    [COLL_ALLGATHERV] = {.name = "allgatherv", .recv_counts = COLL_COUNTS_EVERYBODY},
    [COLL_ALLTOALL] = {.name = "alltoall"},
    [COLL_ALLTOALLV] = {.name = "alltoallv",
                        .send_counts = COLL_COUNTS_EVERYBODY,
                        .recv_counts = COLL_COUNTS_EVERYBODY},
    [COLL_ALLTOALLW] = {.name = "alltoallw",
                        .send_counts = COLL_COUNTS_EVERYBODY,
                        .recv_counts = COLL_COUNTS_EVERYBODY},
    [COLL_REDUCE_SCATTER] = {.name = "reduce_scatter",
                             .combines = true,
                             .recv_counts = COLL_COUNTS_EVERYBODY},
    [COLL_REDUCE_SCATTER_BLOCK] = {.name = "reduce_scatter_block", .combines = true},
    [COLL_SCAN] = {.name = "scan", .combines = true, .is_vector = true},
    [COLL_EXSCAN] = {.name = "exscan", .combines = true, .is_vector = true},
};

const char *coll_kind_name(coll_kind kind)
{
    assert(kind < COLL_NUM_KINDS);
    return coll_kind_table[kind].name;
}

bool coll_kind_parse(const char *name, coll_kind *out)
{
    if (strncasecmp(name, "mpi_", 4) == 0) {
        name += 4;
    }
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        if (strcasecmp(name, coll_kind_table[kind].name) == 0) {
            *out = (coll_kind)kind;
            return true;
        }
    }
    return false;
}

bool coll_kind_is_rooted(coll_kind kind)
{
    return coll_kind_table[kind].is_rooted;
}
