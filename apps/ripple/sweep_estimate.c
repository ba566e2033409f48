/* apps/ripple/sweep_estimate.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_estimate.h"

#include "experiment.h"

enum {
    MOST_RANKS = 4096, /* of the measured run */
    MOST_RUNS = 32,
};

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
    const gint64 began = g_get_monotonic_time();
    g_autoptr(app_results) results = app_experiment_run(&experiment, error);
    if (results == NULL) {
        return false;
    }
    const double ns = (double)(g_get_monotonic_time() - began) * 1e3;
    double operations = 0;
    for (size_t i = 0; i < results->num_series; i++) {
        operations += (double)results->series[0].num_ops * results->series[i].num_runs;
    }
    const uint32_t runs = app_noise_is_some(&noise) ? noise.replicas + 1 : 1;
    *estimate = (app_sweep_estimate){.ns = ns / MAX(operations, 1), .ranks = ranks, .runs = runs};
    estimate->seconds = work * estimate->ns / 1e9;
    return true;
}
