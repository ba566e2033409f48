/* apps/ripple/sweep_estimate.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_estimate.h"

#include "error.h"
#include "experiment.h"

#include <sys/statvfs.h>

enum {
    MOST_RANKS = 4096, /* of the measured run */
    MOST_RUNS = 32,
    MEASUREMENTS = 3,  /* the fastest one counts */
    POINT_BYTES = 400, /* in the database: rows of points and results */
    RUN_BYTES = 20,    /* a row of makespans */
};

static const double LONG_NS = 3e8; /* a run that takes as long is not repeated */

const double app_sweep_worth_estimating = 2e7;

static size_t largest_left(const app_sweep_plan *plan, const bool *left)
{
    size_t largest = SIZE_MAX;
    for (size_t i = 0; i < plan->num_points; i++) {
        if (left[i] && (largest == SIZE_MAX || plan->work[i] > plan->work[largest])) {
            largest = i;
        }
    }
    return largest;
}

/* A size that the program can be had at, not above the point's own. */
static uint32_t smaller_size(const app_sweep_setup *s)
{
    const uint32_t own = app_source_own_ranks(s->source);
    switch (app_source_get_kind(s->source)) {
    case APP_SOURCE_TRACE:
        return MIN(s->ranks, own * MAX(MOST_RANKS / own, 1));
    case APP_SOURCE_COLLECTIVE:
        return MIN(s->ranks, MOST_RANKS);
    default:
        return s->ranks;
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

bool app_sweep_estimate_measure(const app_sweep_plan *plan, app_sweep_maker *maker,
                                const bool *left, double work, unsigned threads,
                                app_sweep_estimate *estimate, GError **error)
{
    const app_sweep_setup *s = app_sweep_plan_make(plan, largest_left(plan, left), maker, error);
    if (s == NULL) {
        return false;
    }
    const uint32_t ranks = smaller_size(s);
    app_noise noise = *s->noise;
    noise.replicas = MIN(noise.replicas, MOST_RUNS);
    const app_experiment experiment = {
        .source = s->source,
        .sizes = &ranks,
        .num_sizes = 1,
        .params = &s->machine->params,
        .noise = &noise,
        .seed = s->seed,
        .threads = threads,
        .no_breakdown = true,
        .verb = "sweep",
        .quiet = true,
    };
    double best = 0;
    double operations = 0;
    for (int i = 0; i < MEASUREMENTS; i++) { /* the first one pays for what comes once */
        const gint64 began = g_get_monotonic_time();
        g_autoptr(app_results) results = app_experiment_run(&experiment, error);
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
    const uint32_t runs = app_noise_is_some(&noise) ? noise.replicas + 1 : 1;
    *estimate = (app_sweep_estimate){.ns = best / MAX(operations, 1), .ranks = ranks, .runs = runs};
    estimate->seconds = work * estimate->ns / 1e9;
    return true;
}

double app_sweep_estimate_disk(size_t num_points, double runs)
{
    return (double)num_points * POINT_BYTES + runs * RUN_BYTES;
}

char *app_sweep_estimate_format(double bytes)
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

bool app_sweep_estimate_check_disk(const char *path, double bytes, GError **error)
{
    struct statvfs disk;
    g_autofree char *folder = g_path_get_dirname(path);
    if (statvfs(folder, &disk) != 0) {
        return true; /* not known: then the disk itself will say so */
    }
    const double there = (double)disk.f_bavail * (double)disk.f_frsize;
    if (bytes <= there) {
        return true;
    }
    g_autofree char *need = app_sweep_estimate_format(bytes);
    g_autofree char *have = app_sweep_estimate_format(there);
    g_set_error(error, APP_ERROR, APP_ERROR_OUTPUT,
                "%s: the results will take about %s, there are %s on its disk", path, need, have);
    return false;
}
