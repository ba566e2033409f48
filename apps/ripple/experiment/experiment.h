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

#include "experiment/experiment_results.h"
#include "options/noise_options.h"
#include "program/source.h"

/** Runs of more operations have a breakdown only where they are to be explained. */
#define APP_BREAKDOWN_OPS UINT64_C(10000000)
#define APP_BREAKDOWN_TOO_MANY                                                                     \
    "runs of more than 10 million operations are recorded only with --explain of simulate and run"
/** --compat knows no causes. */
#define APP_BREAKDOWN_OF_CREATION "with --compat=loggopsim runs are not recorded"

/** Of --no-symmetry, with the verbs that have it. */
#define APP_NO_SYMMETRY_HELP                                                                       \
    "simulate every rank and every pass, also where some stand for others; the results are the "   \
    "same"

typedef struct app_experiment {
    app_source *source;
    const uint32_t *sizes; /* [num_sizes] */
    size_t num_sizes;
    const sim_params *params;
    const app_places *places; /* NULL: each rank on a node of its own, one level */
    const app_noise *noise;
    uint64_t seed;
    unsigned threads;
    bool keep_finish;   /* of every rank in every run */
    bool without_noise; /* the ideal runs only, whatever the noise */
    bool keep_slices;   /* when each slice of the program ended, in every run */
    bool redraw;        /* each replica draws random noise anew, not only where ranks begin in it */
    uint32_t first_replica; /* the noisy runs are replicas from here on */
    sim_time ideal;   /* makespan without noise, if it is known: then there is no ideal run; or 0 */
    bool no_symmetry; /* every rank is run where a few could stand for all, too */
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
    struct app_progress *progress; /* of the command; NULL: each experiment shows its own */
    /** [num_sizes] work of each size that progress expects already (workload.h); NULL: none of it.
     */
    const double *planned;
    /** A sink for one run, or NULL; called by the thread that will do the run. May be NULL. */
    sim_sink *(*sink)(void *data, uint32_t ranks, app_mode mode, uint32_t replica);
    void *sink_data;
    bool sink_of_first; /* it is asked for replica 0 only: the others may go in lanes */
} app_experiment;

/** Which modes it has at each size, in order. @return how many */
size_t app_experiment_modes(const app_experiment *experiment, app_mode modes[APP_NUM_MODES]);
/** Of all modes at one size. */
uint64_t app_experiment_runs(const app_experiment *experiment);
/**
 * Of how many operations the run is whose breakdown is shown: of all @p num_ops, but where it is
 * the ideal run alone, and asks for no rank by name, of those of the @p few ranks that stand for
 * all @p ranks in it; 0: none do.
 */
uint64_t app_experiment_explained_ops(const app_experiment *experiment, uint32_t ranks,
                                      uint32_t few, uint64_t num_ops);

/** Does each size fit into memory beside what is kept of all? app_experiment_run() asks, too. */
bool app_experiment_check_memory(const app_experiment *experiment, GError **error);
/**
 * Run it all, or until it is asked to stop (stop.h): then the results are of the sizes that are
 * finished, and say which are missing.
 * @return owned by the caller; NULL with the first error, APP_ERROR_STOPPED if no size is finished
 */
app_results *app_experiment_run(const app_experiment *experiment, GError **error);
