/* apps/ripple/experiment/experiment_results.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What comes of an experiment: a series of runs for each size and mode; and, where it was asked to
 * stop, which sizes are missing.
 */
#pragma once

#include "analysis/explain.h"
#include "sim/run.h"
#include "statistics/statistics.h"

typedef enum { APP_IDEAL, APP_UNSYNCHRONIZED, APP_COSCHEDULED, APP_NUM_MODES } app_mode;
/** "ideal", "unsynchronized", "co-scheduled". Static. */
const char *app_mode_name(app_mode mode);

typedef struct app_run {
    sim_time makespan;
    sim_time *finish; /* [ranks] if asked for, else NULL */
} app_run;

/** All runs of one size in one mode. */
typedef struct app_series {
    uint32_t ranks;
    app_mode mode;
    sim_time ideal; /* makespan without noise */
    uint64_t num_ops;
    uint64_t num_messages;
    uint32_t num_runs;
    app_run *runs;        /* [num_runs] by replica; the ideal series has one */
    app_statistics times; /* of the makespans */
    bool in_lanes;        /* several replicas at once (sim/replica.h) but for replica 0 */
    bool has_breakdown;
    const char *unexplained;      /* why there is no breakdown: to be printed; static */
    sim_breakdown breakdown;      /* of replica 0 */
    app_explanation *explanation; /* of replica 0, if asked for and there is a breakdown */
} app_series;

typedef struct app_results {
    size_t num_series;
    app_series *series; /* by size, then mode */
    bool noisy;         /* there is noise: every size has more than the ideal series */
    char *stopped_by;   /* "SIGINT", "--time-limit=5s"; NULL: nobody stopped it, it is whole */
    uint32_t *missing;  /* [num_missing] sizes that were asked for and are not finished */
    size_t num_missing;
} app_results;

void app_results_free(app_results *results);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_results, app_results_free)

/** (noisy - ideal) / ideal; 0 where nothing takes time. */
double app_slowdown(const app_series *series, sim_time makespan);

/**
 * It was stopped: keep the first @p num_series, which are whole, and note which sizes are missing.
 * @param missing [num_missing], copied
 */
void app_results_cut(app_results *results, size_t num_series, const uint32_t *missing,
                     size_t num_missing);
/** Is this size there? */
bool app_results_have(const app_results *results, uint32_t ranks);
/** "1Mi,4Mi": the sizes that are missing. Owned by the caller. */
char *app_results_format_missing(const app_results *results);
/** @return false with APP_ERROR_STOPPED, which says what is missing; to be asked at the end */
bool app_results_check_whole(const app_results *results, GError **error);
