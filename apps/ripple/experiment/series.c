/* apps/ripple/experiment/series.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_app_experiment, test_steady. */
#include "experiment/series.h"

static const double LEVEL = 0.95; /* of confidence intervals */

const char *app_quantity_name(app_quantity quantity)
{
    return quantity == APP_STEADY ? "steady" : "pass";
}

double app_slowdown(const app_series *series, sim_time makespan)
{
    return series->ideal > 0 ? (double)(makespan - series->ideal) / (double)series->ideal : 0.0;
}

void app_series_init(app_series *series, uint32_t ranks, app_mode mode, uint32_t runs)
{
    series->ranks = ranks;
    series->mode = mode;
    series->num_runs = runs;
    series->runs = g_new0(app_run, runs);
}

void app_series_slice(app_series *series, const sim_program *program)
{
    series->num_slices = program->num_slices;
    for (uint32_t i = 0; i < series->num_runs && program->num_slices > 0; i++) {
        series->runs[i].slice = g_new0(sim_time, program->num_slices);
    }
}

void app_series_summarize(app_series *series, const app_noise *noise, sim_time ideal, uint64_t seed)
{
    g_autofree sim_time *makespans = g_new(sim_time, series->num_runs);
    g_autofree double *slowdowns = g_new(double, series->num_runs);
    series->ideal = ideal;
    for (uint32_t i = 0; i < series->num_runs; i++) {
        makespans[i] = series->runs[i].makespan;
        slowdowns[i] = app_slowdown(series, makespans[i]);
    }
    series->times = app_statistics_of(makespans, series->num_runs, LEVEL);
    if (series->mode != APP_IDEAL) {
        series->slowdown = app_mean_of(slowdowns, series->num_runs, seed);
        g_free(series->met); /* of fewer runs */
        series->met = app_met_of(noise, series->mode, series->ranks, (double)series->times.mean);
        series->num_met = noise_signature_num_components(noise->signature);
    }
}

void app_series_clear(app_series *series)
{
    for (uint32_t i = 0; series->runs != NULL && i < series->num_runs; i++) {
        g_free(series->runs[i].finish);
        g_free(series->runs[i].slice);
    }
    g_free(series->runs);
    g_free(series->met);
    app_explanation_free(series->explanation);
    g_clear_pointer(&series->departures, g_ptr_array_unref);
}
