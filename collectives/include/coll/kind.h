/* coll/kind.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The blocking collectives of MPI-3, and one rank's view of a call to one of them.
 */
#pragma once

#include "sim/time.h"

#include <stdbool.h>
#include <stdint.h>

#define COLL_NOBODY UINT32_MAX /* no rank */

typedef enum {
    COLL_BARRIER,
    COLL_BCAST,
    COLL_REDUCE,
    COLL_ALLREDUCE,
    COLL_GATHER,
    COLL_GATHERV,
    COLL_SCATTER,
    COLL_SCATTERV,
    COLL_ALLGATHER,
    COLL_ALLGATHERV,
    COLL_ALLTOALL,
    COLL_ALLTOALLV,
    COLL_ALLTOALLW,
    COLL_REDUCE_SCATTER,
    COLL_REDUCE_SCATTER_BLOCK,
    COLL_SCAN,
    COLL_EXSCAN,
    COLL_NUM_KINDS
} coll_kind;

/** "barrier", "reduce_scatter_block", … Static. */
const char *coll_kind_name(coll_kind kind);
/** @return false if there is none of that name ("MPI_" and case are ignored) */
bool coll_kind_parse(const char *name, coll_kind *out);
/** Is there a root that all ranks name? */
bool coll_kind_is_rooted(coll_kind kind);

/**
 * What one rank knows when it makes the call. Ranks are those of the communicator.
 *
 * @c bytes: bcast, reduce, allreduce, scan, exscan: the whole vector; gather, scatter: the block
 * of one rank; allgather: the block each rank contributes; alltoall: the block for one partner;
 * reduce_scatter_block: the block each rank ends with; barrier, alltoallv/w: unused; gatherv: what
 * this rank sends (root: its own block); scatterv: what this rank receives; allgatherv: unused.
 *
 * Per-rank sizes, where the call has them (else NULL), are bytes for partner i at
 * counts[i % num_counts]; num_counts smaller than the communicator is how a recorded call is
 * repeated at a larger scale: gatherv: recv_counts at the root; scatterv: send_counts at the root;
 * allgatherv: recv_counts everywhere; alltoallv/w: send_counts and recv_counts everywhere;
 * reduce_scatter: recv_counts everywhere (the blocks that the ranks end with). Without counts all
 * blocks of such a call are @c bytes long; alltoallv/w in place: recv_counts say what is sent, too.
 */
typedef struct coll_call {
    coll_kind kind;
    uint32_t rank;
    uint32_t size; /* of the communicator, >= 1 */
    uint32_t root; /* rooted collectives */
    int64_t bytes;
    const int64_t *send_counts; /* [num_counts] bytes; borrowed */
    const int64_t *recv_counts; /* [num_counts] bytes; borrowed */
    uint32_t num_counts;
    sim_rate reduce; /* CPU time per byte combined: reduction work, inserted as calc */
    bool in_place;
} coll_call;
