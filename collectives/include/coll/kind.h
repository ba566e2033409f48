/* coll/kind.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The blocking collectives of MPI-3, and one rank's view of a call to one of them.
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

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

/** Which ranks pass a list of bytes, one for each rank, in a call. */
typedef enum { COLL_COUNTS_NOBODY, COLL_COUNTS_ROOT, COLL_COUNTS_EVERYBODY } coll_counts;

/** What MPI says of a collective as such. */
typedef struct coll_kind_class {
    const char *name; /* "barrier", "reduce_scatter_block", … */
    bool is_rooted;   /* there is a root that all ranks name */
    bool is_vector;   /* the payload is one vector, rather than a block for each rank */
    bool is_empty;    /* there is no payload, whatever the bytes field of a call says */
    bool combines;    /* ranks combine what they are sent: there is reduction work */
    coll_counts send_counts;
    coll_counts recv_counts;
} coll_kind_class;

/** One row for each kind, in the order of coll_kind. */
extern const coll_kind_class coll_kind_table[COLL_NUM_KINDS];

/** Static. */
const char *coll_kind_name(coll_kind kind);
/** @return false if there is none of that name ("MPI_" and case are ignored) */
bool coll_kind_parse(const char *name, coll_kind *out);
bool coll_kind_is_rooted(coll_kind kind);

/** Does a rank (@p at_root: the root) give the bytes that it sends to each other? */
static inline bool coll_kind_has_send_counts(coll_kind kind, bool at_root)
{
    const coll_counts who = coll_kind_table[kind].send_counts;
    return who == COLL_COUNTS_EVERYBODY || (who == COLL_COUNTS_ROOT && at_root);
}
/** Does it give the bytes that it receives from each other? */
static inline bool coll_kind_has_recv_counts(coll_kind kind, bool at_root)
{
    const coll_counts who = coll_kind_table[kind].recv_counts;
    return who == COLL_COUNTS_EVERYBODY || (who == COLL_COUNTS_ROOT && at_root);
}
/** Does any rank give counts? */
static inline bool coll_kind_has_counts(coll_kind kind)
{
    return coll_kind_has_send_counts(kind, true) || coll_kind_has_recv_counts(kind, true);
}
/** Do all ranks pass the same @c bytes? Not where there is no payload, or each has its own. */
static inline bool coll_kind_bytes_agree(coll_kind kind)
{
    return !coll_kind_table[kind].is_empty && !coll_kind_has_counts(kind);
}
/** Has each pair of ranks bytes of its own: alltoallv, alltoallw? */
static inline bool coll_kind_has_pairs(coll_kind kind)
{
    return coll_kind_table[kind].send_counts == COLL_COUNTS_EVERYBODY;
}
/** Do all ranks give the same list of counts: allgatherv, reduce_scatter? */
static inline bool coll_kind_counts_agree(coll_kind kind)
{
    return !coll_kind_has_send_counts(kind, false) && coll_kind_has_recv_counts(kind, false);
}

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
    uint32_t parameter; /* of the algorithm that does it (its radix); set from coll_algorithm */
    sim_rate reduce;    /* CPU time per byte combined: reduction work, inserted as calc */
    bool in_place;
} coll_call;

G_END_DECLS
