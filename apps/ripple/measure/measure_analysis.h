/* measure/measure_analysis.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * All that is said of the detours of one or more files. docs/noise.md, section 9.
 */
#pragma once

#include "noise/decomposition.h"
#include "noise/detour_file.h"
#include "noise/ftq_spectrum.h"
#include "noise/provenance.h"

#include <glib.h>
#include <stdbool.h>

enum { APP_MEASURE_QUANTILES = 5 };

/** One source, for each rank that has it. */
typedef struct app_measure_cost {
    double bottleneck; /* ranks from which it hits every second collective: P* */
    double chained;    /* ranks from which collectives one after the other stay delayed: branching
                        * ratio P D / T = 1 */
} app_measure_cost;

typedef struct app_measure_analysis {
    size_t num_files;
    noise_detour_file **files;
    noise_provenance **origins; /* [num_files] */
    size_t num_cpus;            /* runs of all files, one after the other */
    noise_observation *cpus;
    char **names;             /* [num_cpus] "CPU 3", "b.detours CPU 3" */
    bool is_sampled;          /* work and time of quanta, not detours: there are no sources */
    noise_spectrum **spectra; /* [num_cpus] of ftq; NULL: none */
    size_t num_detours;
    sim_time time; /* ps: of all CPUs together */
    double share;
    double share_low, share_high;                    /* 95 %, from share_stretch on each CPU */
    noise_quantile quantiles[APP_MEASURE_QUANTILES]; /* of lengths; where there are detours */
    noise_decomposition *division;
    sim_time collective;     /* w: what the collective lasts that costs refer to */
    app_measure_cost *costs; /* [division->num_sources] */
} app_measure_analysis;

/**
 * @param files  [n] taken
 * @param paths  [n] what they are called
 * @param collective ps > 0
 * @return owned by the caller
 */
app_measure_analysis *app_measure_analysis_new(noise_detour_file **files, const char *const *paths,
                                               size_t n, sim_time collective);
void app_measure_analysis_free(app_measure_analysis *analysis);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_measure_analysis, app_measure_analysis_free)

/** Write the sources that were found into @p file, the index-th of the analysis. */
void app_measure_analysis_divide(app_measure_analysis *analysis, size_t index);

/** "periodic", "bursts", "random", "irregular", "rare". */
const char *app_measure_rhythm(noise_rhythm rhythm);
/** What has to be kept in mind: how P* is to be read, detours that were not told apart, runs that
 * are not valid, ... One sentence each, NULL-terminated. Owned by the caller. */
char **app_measure_remarks(const app_measure_analysis *analysis);
