/* apps/ripple/sweep/sweep_run.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Running the points that are not done yet, one after the other, each with its replicas in
 * parallel. Several processes on one database share the points.
 */
#pragma once

#include "sweep/sweep_plan.h"

typedef struct app_sweep_run_options {
    unsigned threads;
    const char *verb; /* for progress */
    bool quiet;
    bool no_symmetry; /* app_experiment.no_symmetry */
    double seconds;   /* that it is thought to take; 0: not known */
    size_t *num_run;  /* grows by the points that were run here, not by another; may be NULL */
} app_sweep_run_options;

/** Which points are left? @p left [num_points]. @return how many; -1 with an error */
int64_t app_sweep_left(const app_sweep_plan *plan, app_sweep_database *database, bool *left,
                       GError **error);
/**
 * Run them, except those that another process does meanwhile: at the end all are done. After an
 * error, the points that are done are kept.
 */
bool app_sweep_run(const app_sweep_plan *plan, app_sweep_maker *maker, app_sweep_database *database,
                   const bool *left, const app_sweep_run_options *options, GError **error);
