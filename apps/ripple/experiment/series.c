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

/* What --compat has met. */
static void note_departures(const sim_program *program, const sim_result *result,
                            app_series *series)
{
    for (int kind = 0; kind < SIM_NUM_DEPARTURES; kind++) {
        char *line =
            sim_departure_describe(program, (sim_departure_kind)kind, &result->departure[kind]);
        if (line != NULL && series->departures == NULL) {
            series->departures = g_ptr_array_new_with_free_func(g_free);
        }
        if (line != NULL) {
            g_ptr_array_add(series->departures, line);
        }
    }
}

void app_series_note(app_series *series, const sim_program *program, uint32_t replica,
                     const sim_result *result)
{
    series->runs[replica].makespan = result->makespan;
    series->runs[replica].simulated_passes = result->simulated_passes;
    if (result->representatives > 0) { /* the same in every run */
        __atomic_store_n(&series->representatives, result->representatives, __ATOMIC_RELAXED);
    }
    if (replica == 0) {
        series->num_ops = result->num_ops;
        series->num_messages = result->num_messages;
        note_departures(program, result, series);
    }
}

uint64_t app_series_simulated_passes(const app_series *series)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < series->num_runs; i++) {
        const uint32_t some = series->runs[i].simulated_passes;
        sum += some > 0 ? some : series->passes;
    }
    return sum;
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
