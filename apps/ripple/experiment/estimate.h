/* apps/ripple/experiment/estimate.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a long command will take, said once, before it begins: some of it is run at a small size and
 * timed.
 */
#pragma once

#include "experiment/workload.h"
#include "output/progress.h"

/** Of work in the measure of workload.h. */
typedef struct app_estimate {
    double engine_ns; /* for each operation of runs one by one, measured */
    double
        lanes_ns;   /* the same in lanes; where only one of them was measured, it stands for both */
    uint32_t ranks; /* the size at which it was */
    uint32_t runs;  /* that were timed together */
    uint64_t memory; /* of the process, bytes */
} app_estimate;

/** Time @p experiment at a size not above its largest. Takes a second or so. */
bool app_estimate_measure(const app_experiment *experiment, bool in_lanes, app_estimate *estimate,
                          GError **error);
double app_estimate_seconds(const app_estimate *estimate, const app_work *work);

/**
 * Say on standard error that @p head ("72 runs") will take about so long, how much memory, and what
 * that is judged by.
 */
void app_estimate_say(const app_estimate *estimate, const app_work *work, const char *verb,
                      const char *head, unsigned threads);

/**
 * Begin the progress of a command that is to do @p work, at @p experiment's sizes: does it fit into
 * memory? On standard error, if it is long, what it will take.
 * @return owned by the caller; NULL with an error
 */
app_progress *app_estimate_begin(const app_experiment *experiment, const app_work *work,
                                 bool in_lanes, GError **error);

/** app_experiment_run() with such a progress, of all its sizes. */
app_results *app_estimate_run(const app_experiment *experiment, GError **error);

/** "80 s", "190 s", "12 min", "1.5 h". Owned by the caller. */
char *app_estimate_format_time(double seconds);
/** "1.2 GiB", "34 MiB". Owned by the caller. */
char *app_estimate_format_bytes(double bytes);
