/* apps/ripple/steady/steady_size.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * One size in one mode, run longer and more often until its slowdown is known well enough, or the
 * time is used up.
 */
#pragma once

#include "experiment/experiment.h"

/** Wall time, s, on a clock that only goes forward. */
static inline double app_steady_now(void)
{
    return (double)g_get_monotonic_time() / 1e6;
}

/** How fast runs have gone so far, and how long a pass takes; carried from size to size. */
typedef struct app_steady_pace {
    double seconds; /* of wall time for each unit of work (experiment/work.h), all threads busy */
    double pass;    /* ps, ideal */
} app_steady_pace;

typedef struct app_steady_size {
    const app_experiment *experiment; /* what is common to all sizes */
    uint32_t ranks;
    app_mode mode;
    double half_width;
    bool only_settled; /* else it is no row: it gets all the time there is, or none */
    double threshold;  /* it is enough to know on which side of it the slowdown is; 0: none */
    uint64_t pass_ops; /* operations of one pass at this size */
    double expected;   /* of its work (experiment/work.h), what progress still expects */
} app_steady_size;

/** Time a few passes without noise, at a size at which they are short, as if there were a run for
 * each thread. */
bool app_steady_pace_measure(const app_experiment *experiment, uint32_t ranks,
                             app_steady_pace *pace, GError **error);
/** Wall time, s, of @p runs runs of @p passes passes. */
double app_steady_seconds(const app_steady_size *size, const app_steady_pace *pace, double passes,
                          double runs);

/** Work of @p runs runs of @p passes passes, in the measure of progress, if all are simulated. */
double app_steady_work(const app_steady_size *size, double passes, double runs);
/** Passes that the first runs are to have, if there is time for them. */
uint32_t app_steady_planned_passes(const app_steady_size *size, const app_steady_pace *pace);
/** Work of what is planned for @p seconds of wall time, as far as it can be known beforehand. */
double app_steady_planned_work(const app_steady_size *size, const app_steady_pace *pace,
                               double seconds);

/**
 * Settle it, in @p seconds of wall time if that is possible; one run without noise and one with are
 * made in any case: whether there is room for these is asked before (steady_budget.h). @p pace is
 * used and made better.
 * @param ideal, noisy all zero; filled on success, and cleared by the caller in any case
 */
bool app_steady_settle(app_steady_size *size, double seconds, app_steady_pace *pace,
                       app_series *ideal, app_series *noisy, GError **error);
/** Would a co-scheduled run that lasts so long, in ps, meet enough detours to say anything? */
bool app_steady_check_is_long(const app_steady_size *size, double lasts);
/** One run as a check, as long as @p ideal, of the same size. */
bool app_steady_check(app_steady_size *size, const app_series *ideal, app_series *noisy,
                      GError **error);
