/* collectives/kind.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "coll/kind.h"

#include <assert.h>
#include <stddef.h>
#include <strings.h>

static const char *const NAMES[COLL_NUM_KINDS] = {
    [COLL_BARRIER] = "barrier",
    [COLL_BCAST] = "bcast",
    [COLL_REDUCE] = "reduce",
    [COLL_ALLREDUCE] = "allreduce",
    [COLL_GATHER] = "gather",
    [COLL_GATHERV] = "gatherv",
    [COLL_SCATTER] = "scatter",
    [COLL_SCATTERV] = "scatterv",
    [COLL_ALLGATHER] = "allgather",
    [COLL_ALLGATHERV] = "allgatherv",
    [COLL_ALLTOALL] = "alltoall",
    [COLL_ALLTOALLV] = "alltoallv",
    [COLL_ALLTOALLW] = "alltoallw",
    [COLL_REDUCE_SCATTER] = "reduce_scatter",
    [COLL_REDUCE_SCATTER_BLOCK] = "reduce_scatter_block",
    [COLL_SCAN] = "scan",
    [COLL_EXSCAN] = "exscan",
};

const char *coll_kind_name(coll_kind kind)
{
    assert(kind < COLL_NUM_KINDS);
    return NAMES[kind];
}

bool coll_kind_parse(const char *name, coll_kind *out)
{
    if (strncasecmp(name, "mpi_", 4) == 0) {
        name += 4;
    }
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        if (strcasecmp(name, NAMES[kind]) == 0) {
            *out = (coll_kind)kind;
            return true;
        }
    }
    return false;
}

bool coll_kind_is_rooted(coll_kind kind)
{
    switch (kind) {
    case COLL_BCAST:
    case COLL_REDUCE:
    case COLL_GATHER:
    case COLL_GATHERV:
    case COLL_SCATTER:
    case COLL_SCATTERV:
        return true;
    default:
        return false;
    }
}
