/* apps/ripple/system/watch.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How far one long run has come, told to a progress bar of whose work it is a part.
 */
#pragma once

#include "output/progress.h"
#include "sim/run.h"

typedef struct app_watch {
    sim_watch watch; /* for sim_run_options */
    app_progress *progress;
    double num_ops; /* of the run */
    double work;    /* that it is to the bar */
    double reached; /* of that; for app_progress_advance() */
    /** Is the run still of use? May be NULL. */
    bool (*is_wanted)(const struct app_watch *watch);
} app_watch;

/** A run of @p num_ops operations, or several at once, that are so much work (progress.h). */
app_watch app_watch_of(app_progress *progress, uint64_t num_ops, double work);

/** Operations of all ranks, or of some where it is asked to stop (stop.h). O(ranks) or more. */
uint64_t app_watch_count_ops(const sim_program *program);
