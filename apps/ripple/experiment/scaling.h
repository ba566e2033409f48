/* apps/ripple/experiment/scaling.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From a small size to a large one: the experiment behind `run` and `quick`. Small sizes get all
 * the replicas; large ones as many as a budget of simulated operations allows. The rule looks at
 * operations, not at clocks: the same command gives the same bytes on any machine. Only within a
 * time does a clock decide, too: which sizes there are, not what comes of them.
 */
#pragma once

#include "experiment/experiment.h"

/**
 * Replicas at a size of so many operations: @p wanted, or fewer, but at least 5 (or wanted); one
 * where a run takes more than twice the budget.
 * @param in_lanes several go at once: app_series.in_lanes
 */
uint32_t app_scaling_replicas(uint32_t wanted, uint64_t operations, bool in_lanes);

/**
 * Run @p experiment size by size under that rule (its noise->replicas are what is wanted). What
 * that takes is said before, if it is long, and one line of progress is of all sizes.
 * @return as of app_experiment_run()
 */
app_results *app_scaling_run(const app_experiment *experiment, GError **error);

/**
 * The same within @p seconds of wall time: the first size in any case; another one if those before
 * tell that it will be finished by then, and if the rule gives it 5 replicas (or those wanted). The
 * first that is not, and all after it, are left out (app_results_leave_out()).
 */
app_results *app_scaling_run_within(const app_experiment *experiment, double seconds,
                                    GError **error);
