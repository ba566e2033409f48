/* apps/ripple/experiment/experiment.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * One program at several sizes, ideal and under noise, in many replicas: the loop behind
 * simulate, mine, run and quick.
 *
 * For each size: the ideal run; then, if there is noise, the unsynchronized replicas and, where
 * asked for, the co-scheduled ones. Replicas run in parallel, those of collectives eight at a time;
 * results do not depend on how many threads there are. As many runs go at once as memory allows.
 */
#pragma once

#include "experiment/explain.h"
#include "experiment/statistics.h"
#include "options/noise_options.h"
#include "program/source.h"

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
} app_results;

/** Runs of more operations have a breakdown only where they are to be explained. */
#define APP_BREAKDOWN_OPS UINT64_C(10000000)

typedef struct app_experiment {
    app_source *source;
    const uint32_t *sizes; /* [num_sizes] */
    size_t num_sizes;
    const sim_params *params;
    const app_noise *noise;
    uint64_t seed;
    unsigned threads;
    bool keep_finish;  /* of every rank in every run */
    bool no_breakdown; /* makespans only: where replicas go in lanes, all of them do */
    bool explain;      /* needs the breakdown */
    /**
     * File for the record of one run (docs/formats.md): replica 0 of the one size, under
     * unsynchronized noise if there is noise; and what it says about itself. Or NULL.
     */
    const char *record;
    const char *record_label;
    uint64_t memory;  /* bytes that runs may take; 0: most of what is free */
    const char *verb; /* for progress */
    bool quiet;
    struct app_progress *progress; /* told of every run; NULL: it shows one of its own */
    /** A sink for one run, or NULL; called by the thread that will do the run. May be NULL. */
    sim_sink *(*sink)(void *data, uint32_t ranks, app_mode mode, uint32_t replica);
    void *sink_data;
    bool sink_of_first; /* it is asked for replica 0 only: the others may go in lanes */
} app_experiment;

/** Does each size fit into memory beside what is kept of all? app_experiment_run() asks, too. */
bool app_experiment_check_memory(const app_experiment *experiment, GError **error);
/** Run it all. @return owned by the caller; NULL with the first error */
app_results *app_experiment_run(const app_experiment *experiment, GError **error);
void app_results_free(app_results *results);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_results, app_results_free)

/** (noisy - ideal) / ideal; 0 where nothing takes time. */
double app_slowdown(const app_series *series, sim_time makespan);
