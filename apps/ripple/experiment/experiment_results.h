/* apps/ripple/experiment/experiment_results.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What comes of an experiment: a series of runs for each size and mode; and, where it was asked to
 * stop, which sizes are missing, or which ones a budget had no room for.
 */
#pragma once

#include "experiment/series.h"

/** From how many ranks on the slowdown under unsynchronized noise is above a threshold. */
typedef struct app_threshold {
    double slowdown;    /* the threshold; 0: nobody asked */
    uint32_t below;     /* the largest size of which the whole interval lies below it; 0: none */
    uint32_t above;     /* the smallest of which it lies above; 0: none */
    uint32_t undecided; /* sizes between them that were settled no further than around it */
} app_threshold;

typedef struct app_results {
    size_t num_series;
    app_series *series; /* by size, then mode */
    app_threshold threshold;
    bool noisy;        /* there is noise: every size has more than the ideal series */
    char *stopped_by;  /* "SIGINT", "--time-limit=5s"; NULL: nobody stopped it, it is whole */
    uint32_t *missing; /* [num_missing] sizes that were asked for and are not finished */
    size_t num_missing;
    uint32_t *left_out; /* [num_left_out] sizes that --budget had no room for */
    size_t num_left_out;
    bool only_settled;     /* these are sizes at which noise did not settle within --budget */
    bool left_out_cosched; /* nor did co-scheduled noise at any */
} app_results;

void app_results_free(app_results *results);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_results, app_results_free)

/**
 * It was stopped: keep the first @p num_series, which are whole, and note which sizes are missing.
 * @param missing [num_missing], copied
 */
void app_results_cut(app_results *results, size_t num_series, const uint32_t *missing,
                     size_t num_missing);
/**
 * There was no room for these sizes in the budget.
 * @param ranks [n], copied
 */
void app_results_leave_out(app_results *results, const uint32_t *ranks, size_t n);
/** Is this size there? */
bool app_results_have(const app_results *results, uint32_t ranks);
/** How many of app_parts are shown: the last only where nodes have a level of their own. */
size_t app_results_num_parts(const app_results *results);
/** "1Mi,4Mi" of [@p n] sizes. Owned by the caller. */
char *app_sizes_format(const uint32_t *ranks, size_t n);
/** The same of the sizes that are missing. */
char *app_results_format_missing(const app_results *results);
/** @return false with APP_ERROR_STOPPED, which says what is missing; to be asked at the end */
bool app_results_check_whole(const app_results *results, GError **error);
