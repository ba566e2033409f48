/* apps/ripple/sweep/sweep_plan.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * All points of a study, set up and checked before the first one runs: an error in any of them, or
 * a size that does not fit into memory, is reported at once.
 */
#pragma once

#include "database/sweep_database.h"
#include "experiment/workload.h"

typedef struct app_sweep_plan {
    const app_sweep_study *study;
    size_t num_points;
    size_t *order;   /* [num_points] in which they run: program by program, else as numbered */
    app_work *work;  /* [num_points] of all runs of a point, with the ideal one; about */
    GArray *notices; /* of app_sweep_notice: what became of programs, and what their results do not
                      * stand for (app_source_limit()), in the order in which points run */
} app_sweep_plan;

/**
 * @param database gets the study, its inputs and its points, or is compared with them; NULL: only
 *   check
 * @return owned by the caller; borrows the study. NULL with the first error; it names the point
 */
app_sweep_plan *app_sweep_plan_new(const app_sweep_study *study, app_sweep_maker *maker,
                                   app_sweep_database *database, GError **error);
void app_sweep_plan_free(app_sweep_plan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_sweep_plan, app_sweep_plan_free)

/** All points that are @p left [num_points], together. */
app_work app_sweep_plan_left(const app_sweep_plan *plan, const bool *left);
/** The experiment of a point, which borrows from @p setup. */
app_experiment app_sweep_plan_experiment(const app_sweep_setup *setup, unsigned threads);
/** Set point @p i up; an error names it. Borrowed from @p maker. */
const app_sweep_setup *app_sweep_plan_make(const app_sweep_plan *plan, size_t i,
                                           app_sweep_maker *maker, GError **error);
