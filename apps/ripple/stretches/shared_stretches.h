/* apps/ripple/stretches/shared_stretches.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Stretches of ranks of which some do the same as others (sim/symmetry.h): one list for all ranks
 * of a class, of which each has a place of its own. A list goes from the rank that is farthest back
 * to the one that is farthest on, so memory is bounded by how far these are apart.
 */
#pragma once

#include "stretches/stretch_queues.h"

typedef struct app_shared_stretches app_shared_stretches;

/** The next stretch of a class. @return false: there is none */
typedef bool app_shared_source(void *user, uint32_t class, app_reference_stretch *out);

/**
 * @param classes rank r is of class r mod classes; divides @p num_ranks
 * @param source asked once for each stretch of a class, in order, by one thread at a time. Owned by
 *   the caller.
 */
app_shared_stretches *app_shared_stretches_new(uint32_t num_ranks, uint32_t classes,
                                               app_shared_source *source, void *user);
/** NULL is a no-op. */
void app_shared_stretches_free(app_shared_stretches *shared);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_shared_stretches, app_shared_stretches_free)

/** The next one of @p rank, of which one thread asks at a time. @return false: it has no more */
bool app_shared_stretches_take(app_shared_stretches *shared, uint32_t rank,
                               app_reference_stretch *out);
/** @p rank comes soon: bring its place near. */
void app_shared_stretches_near(const app_shared_stretches *shared, uint32_t rank);
