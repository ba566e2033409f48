/* coll/algorithm.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Algorithms for collectives, and which one is taken for a call.
 */
#pragma once

#include "coll/kind.h"

#include <glib.h>

G_BEGIN_DECLS

#define COLL_ERROR (coll_error_quark())
GQuark coll_error_quark(void);
typedef enum {
    COLL_ERROR_UNKNOWN,        /* no collective, algorithm or profile of that name */
    COLL_ERROR_NOT_APPLICABLE, /* the algorithm cannot do that collective, size or call */
} coll_error;

/** One way to do collectives; static. */
typedef struct coll_algorithm_class coll_algorithm_class;

/** How a collective is done. Zeroed: not at all, which is right where there is nothing to do. */
typedef struct coll_algorithm {
    const coll_algorithm_class *how; /* NULL: no steps */
    uint32_t parameter;              /* its radix, …; 0 where it has none */
} coll_algorithm;

/** How many algorithms there are, and the i-th (from 0) of them with its usual parameter. */
size_t coll_algorithm_count(void);
coll_algorithm coll_algorithm_at(size_t i);

/** "linear", "binomial-far", … without the parameter; "none". Static. */
const char *coll_algorithm_name(coll_algorithm algorithm);
/** "linear", "knomial-4": as coll_algorithm_parse() takes it. Owned by the caller. */
char *coll_algorithm_format(coll_algorithm algorithm);
/**
 * "linear"; "knomial" or "knomial-4" where there is a parameter. '-' and '_' are the same, and so
 * are capitals. @return false with COLL_ERROR_UNKNOWN, or COLL_ERROR_NOT_APPLICABLE if only the
 * parameter is not one
 */
bool coll_algorithm_parse(const char *text, coll_algorithm *out, GError **error);

/** @p text, as coll_algorithm_parse() takes it, which must be one: for names in the source. */
coll_algorithm coll_algorithm_get(const char *text);

/** Can it do calls of @p kind? False for no algorithm. */
bool coll_algorithm_does(coll_algorithm algorithm, coll_kind kind);
/** The algorithms that can do @p kind: "linear, binomial, …". Owned by the caller. */
char *coll_algorithm_list(coll_kind kind);
/** No rank has more rounds than this in one phase of a call on @p size ranks. */
uint64_t coll_algorithm_max_rounds(coll_algorithm algorithm, uint32_t size);

/**
 * May @p algorithm be used for a call of @p kind on @p size ranks? "none" always may: it does
 * nothing. @return false with COLL_ERROR_NOT_APPLICABLE, which names the algorithms that can
 */
bool coll_algorithm_check(coll_algorithm algorithm, coll_kind kind, uint32_t size, GError **error);

/** Rules: which algorithm for which call. Immutable once made. */
typedef struct coll_profile coll_profile;

/**
 * A profile by name ("sc10": dissemination for allreduce, allgather, alltoall and barrier,
 * binomial trees for bcast, reduce, scatter, gather; see docs/collectives.md, section 5),
 * then overrides, comma-separated: "allreduce=ring,bcast=binomial". NULL or "": none.
 * @return owned by the caller; NULL with COLL_ERROR naming the item and what is known
 */
coll_profile *coll_profile_new(const char *name, const char *overrides, GError **error);
void coll_profile_free(coll_profile *profile);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(coll_profile, coll_profile_free)
/** "sc10" or "sc10,allreduce=ring", for the header of every output. Borrowed. */
const char *coll_profile_name(const coll_profile *profile);

/**
 * The algorithm for a call. It is the same on every rank of the communicator, since it depends only
 * on what all ranks know (kind, size and, where it is the same everywhere, bytes). "none" where all
 * ranks know that there is nothing to move. O(1); O(num_counts) for allgatherv and reduce_scatter.
 */
coll_algorithm coll_profile_select(const coll_profile *profile, const coll_call *call);

G_END_DECLS
