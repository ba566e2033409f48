/* apps/ripple/stretches/reference.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A second run of the same program, on a thread of its own, that another run is compared with
 * while both last: the next stretch of a rank is there when it is asked for. It is only so far
 * ahead as it has to be, so memory is bounded by how much later some ranks are than others. Where a
 * few ranks stand for all (docs/model.md, section 6.5), only these are run.
 */
#pragma once

#include "sim/run.h"
#include "stretches/stretch_queues.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct app_reference app_reference;

/**
 * Begin.
 * @param program, params, levels, noise borrowed until it is freed; levels, noise may be NULL
 * @return owned by the caller
 */
app_reference *app_reference_new(const sim_program *program, const sim_params *params,
                                 const sim_levels *levels, const sim_noise *noise);
/** Stops it, if it still runs. NULL is a no-op. */
void app_reference_free(app_reference *reference);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_reference, app_reference_free)

/**
 * The next stretch on CPU 0 of @p rank; waits for it. O(1), but for those of others that come
 * before. @return false: the rank has no more
 */
bool app_reference_next(app_reference *reference, uint32_t rank, app_reference_stretch *out);
/** May several threads ask at once, each for its own ranks? Where few ranks are run. */
bool app_reference_is_shared(const app_reference *reference);
/** It will soon be asked for @p rank: bring near what that takes. */
void app_reference_prefetch(const app_reference *reference, uint32_t rank);
/** Some time after that: its next stretch. */
void app_reference_prefetch_next(const app_reference *reference, uint32_t rank);
/** Known from the beginning where few ranks are run, else 0. */
sim_time app_reference_makespan(const app_reference *reference);
/**
 * Wait for its end. Called once; its result is of the ranks that were run.
 * @return owned by the caller; NULL with an error of sim_run()
 */
sim_result *app_reference_finish(app_reference *reference, GError **error);
