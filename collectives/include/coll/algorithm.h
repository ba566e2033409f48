/* coll/algorithm.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Algorithms for collectives, and which one is taken for a call.
 */
#pragma once

#include "coll/kind.h"

#include <glib.h>

#define COLL_ERROR (coll_error_quark())
GQuark coll_error_quark(void);
typedef enum {
    COLL_ERROR_UNKNOWN,        /* no collective, algorithm or profile of that name */
    COLL_ERROR_NOT_APPLICABLE, /* the algorithm cannot do that collective, size or call */
} coll_error;

typedef enum {
    COLL_ALG_NONE,               /* size 1, or nothing to send: no steps */
    COLL_ALG_LINEAR,             /* root to all, all to root; alltoall: shifted pairs */
    COLL_ALG_BINOMIAL,           /* tree, nearest child first (Schedgen, the SC'10 paper) */
    COLL_ALG_BINOMIAL_FAR,       /* tree, largest subtree first (MPICH; gather and scatter) */
    COLL_ALG_DISSEMINATION,      /* r -> r + 2^i */
    COLL_ALG_RECURSIVE_DOUBLING, /* r <-> r ^ 2^i, with fold where size is not 2^k */
    COLL_ALG_RECURSIVE_HALVING,  /* reduce_scatter; allreduce, reduce: halving, then back */
    COLL_ALG_RING,
    COLL_ALG_BRUCK,
    COLL_ALG_PAIRWISE,
    COLL_ALG_SCATTER_ALLGATHER, /* bcast of long vectors (van de Geijn) */
    COLL_ALG_COMPOSITE,         /* reduce + bcast, gather + bcast, reduce + scatterv, … */
    COLL_NUM_ALGORITHMS
} coll_algorithm;

/** "linear", "binomial", "binomial-far", "recursive-doubling", … Static. */
const char *coll_algorithm_name(coll_algorithm algorithm);
/** '-' and '_' are the same, and so are capitals. */
bool coll_algorithm_parse(const char *name, coll_algorithm *out);

/** What can do @p kind: "linear, binomial, …". Owned by the caller. */
char *coll_algorithm_list(coll_kind kind);

/**
 * May @p algorithm be used for a call of @p kind on @p size ranks? COLL_ALG_NONE always may: it
 * does nothing. COLL_ERROR_NOT_APPLICABLE, naming those that can.
 */
bool coll_algorithm_check(coll_algorithm algorithm, coll_kind kind, uint32_t size, GError **error);

/** Rules: which algorithm for which call. Immutable once made. */
typedef struct coll_profile coll_profile;

/**
 * A profile by name ("sc10": dissemination for allreduce, allgather, alltoall and barrier,
 * binomial trees for bcast, reduce, scatter, gather; see docs/collectives.md),
 * then overrides, comma-separated: "allreduce=ring,bcast=binomial". NULL or "": none.
 * @return owned by the caller; NULL with COLL_ERROR naming the item and what is known
 */
coll_profile *coll_profile_new(const char *name, const char *overrides, GError **error);
void coll_profile_free(coll_profile *profile);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(coll_profile, coll_profile_free)
/** "sc10" or "sc10,allreduce=ring": goes into every output. Borrowed. */
const char *coll_profile_name(const coll_profile *profile);

/**
 * The algorithm for a call: the same on every rank of the communicator, since only what all
 * ranks know decides (kind, size and, where the same everywhere, bytes). COLL_ALG_NONE where all
 * know that there is nothing to move. O(1); O(num_counts) for allgatherv and reduce_scatter.
 */
coll_algorithm coll_profile_select(const coll_profile *profile, const coll_call *call);
