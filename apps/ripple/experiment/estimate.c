/* apps/ripple/experiment/estimate.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/estimate.h"

#include "experiment/capacity.h"
#include "sim/unit.h"
#include "system/memory.h"

#include <math.h>

enum {
    MOST_RANKS = 4096, /* of the measured run */
    MOST_RUNS = 32,
    MEASUREMENTS = 3, /* the fastest one counts */
};

static const double LONG_NS = 3e8; /* a run that takes as long is not repeated */
/* Operations, of which so many more take the same time in lanes. */
static const double WORTH_TIMING = 2e8, LANES_PAY = 16;
static const double WORTH_SAYING = 15; /* seconds */
/* Of the time of an operation, where there are four times as many ranks: bench/README.md. */
static const double GROWTH = 1.05;

static uint32_t largest_size(const app_experiment *x)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < x->num_sizes; i++) {
        largest = MAX(largest, x->sizes[i]);
    }
    return largest;
}

static uint32_t num_runs(const app_noise *noise)
{
    const uint32_t modes = noise->cosched && !noise->only_cosched ? 2 : 1;
    return app_noise_is_some(noise) ? modes * noise->replicas + 1 : 1;
}

/* A size that the program can be had at, not above that of the experiment. */
static uint32_t smaller_size(const app_experiment *x)
{
    const uint32_t own = app_source_own_ranks(x->source);
    switch (app_source_get_kind(x->source)) {
    case APP_SOURCE_GOAL:
    case APP_SOURCE_TRACE:
        return MIN(largest_size(x), own * MAX(MOST_RANKS / own, 1));
    case APP_SOURCE_COLLECTIVE:
        return MIN(largest_size(x), MOST_RANKS);
    default:
        return largest_size(x);
    }
}

static double count_operations(const app_results *results)
{
    double n = 0;
    for (size_t i = 0; i < results->num_series; i++) {
        n += (double)results->series[0].num_ops * results->series[i].num_runs;
    }
    return n;
}

bool app_estimate_measure(const app_experiment *x, app_estimate *estimate, GError **error)
{
    const uint32_t ranks = smaller_size(x);
    app_noise noise = *x->noise;
    noise.replicas = MIN(noise.replicas, MOST_RUNS);
    app_experiment small = *x;
    small.sizes = &ranks;
    small.num_sizes = 1;
    small.noise = &noise;
    small.keep_finish = false;
    small.no_breakdown = true;
    small.explain = false;
    small.quiet = true;
    small.progress = NULL;
    small.sink = NULL;
    double best = 0;
    double operations = 0;
    for (int i = 0; i < MEASUREMENTS; i++) { /* the first one pays for what comes once */
        const gint64 began = g_get_monotonic_time();
        g_autoptr(app_results) results = app_experiment_run(&small, error);
        if (results == NULL) {
            return false;
        }
        const double ns = (double)(g_get_monotonic_time() - began) * 1e3;
        best = i == 0 ? ns : MIN(best, ns);
        operations = count_operations(results);
        if (ns > LONG_NS) {
            break;
        }
    }
    *estimate = (app_estimate){
        .ns = best / MAX(operations, 1),
        .ranks = ranks,
        .runs = num_runs(&noise),
        .memory = app_capacity_process(x->source, largest_size(x), x->params, x->threads,
                                       num_runs(x->noise)),
    };
    return true;
}

double app_estimate_growth(const app_estimate *estimate, uint32_t ranks)
{
    return ranks > estimate->ranks ? pow(GROWTH, log2((double)ranks / estimate->ranks) / 2) : 1;
}

bool app_estimate_announce(const app_experiment *x, GError **error)
{
    if (!app_experiment_check_memory(x, error)) {
        return false;
    }
    double work = 0;
    g_autofree double *work_at = g_new0(double, x->num_sizes);
    const uint64_t runs = num_runs(x->noise);
    for (size_t i = 0; i < x->num_sizes; i++) {
        uint64_t ops = 0;
        if (!app_source_count(x->source, x->sizes[i], &ops, error)) {
            return false;
        }
        work_at[i] = (double)ops * (double)runs;
        work += work_at[i];
    }
    const bool lanes = app_source_get_kind(x->source) == APP_SOURCE_COLLECTIVE && x->sink == NULL;
    if (x->quiet || work < WORTH_TIMING * (lanes ? LANES_PAY : 1) ||
        smaller_size(x) == largest_size(x)) {
        return true;
    }
    app_estimate e;
    if (!app_estimate_measure(x, &e, error)) {
        return false;
    }
    double seconds = 0;
    for (size_t i = 0; i < x->num_sizes; i++) {
        seconds += work_at[i] * e.ns * app_estimate_growth(&e, x->sizes[i]) / 1e9;
    }
    if (seconds < WORTH_SAYING) {
        return true;
    }
    g_autofree char *time = app_estimate_format_time(seconds);
    g_autofree char *memory = app_estimate_format_bytes((double)e.memory);
    g_autofree char *there = app_estimate_format_bytes((double)app_memory_available());
    g_autofree char *ranks = sim_unit_format_count(e.ranks);
    fprintf(stderr,
            "ripple %s: %" G_GUINT64_FORMAT " runs: about %s on %u threads, %s of memory, of %s\n",
            x->verb, x->num_sizes * runs, time, x->threads, memory, there);
    fprintf(stderr,
            "ripple %s: (from %.2g ns for each of %.3g operations, measured at %s ranks with %u "
            "runs)\n",
            x->verb, e.ns, work, ranks, e.runs);
    return true;
}

char *app_estimate_format_time(double seconds)
{
    if (seconds < 90) {
        return g_strdup_printf("%.0f s", MAX(seconds, 1));
    }
    if (seconds < 5400) {
        return g_strdup_printf("%.0f min", seconds / 60);
    }
    return g_strdup_printf("%.1f h", seconds / 3600);
}

char *app_estimate_format_bytes(double bytes)
{
    static const char *const UNITS[] = {"KiB", "MiB", "GiB", "TiB"};
    double value = bytes / 1024;
    size_t unit = 0;
    while (value >= 1000 && unit < G_N_ELEMENTS(UNITS) - 1) {
        value /= 1024;
        unit++;
    }
    return g_strdup_printf(value < 10 ? "%.1f %s" : "%.0f %s", value, UNITS[unit]);
}
