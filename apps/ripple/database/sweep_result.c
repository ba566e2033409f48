/* apps/ripple/database/sweep_result.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_database. */
#include "database/sweep_result.h"

static const double LEVEL = 0.95; /* of the confidence interval */

void app_sweep_result_summarize(app_sweep_result *r, const sim_time *makespans, uint32_t n)
{
    r->replicas = n;
    r->makespans = g_memdup2(makespans, n * sizeof *makespans);
    r->times = app_statistics_of(makespans, n, LEVEL);
}

void app_sweep_result_take(app_sweep_result *r, const app_results *results, bool cosched)
{
    const app_mode noisy = cosched ? APP_COSCHEDULED : APP_UNSYNCHRONIZED;
    const app_series *series = &results->series[0];
    for (size_t i = 0; i < results->num_series; i++) {
        if (results->series[i].mode == noisy) {
            series = &results->series[i];
        }
    }
    g_autofree sim_time *makespans = g_new(sim_time, series->num_runs);
    for (uint32_t i = 0; i < series->num_runs; i++) {
        makespans[i] = series->runs[i].makespan;
    }
    *r = (app_sweep_result){
        .mode = series->mode,
        .operations = series->num_ops,
        .messages = series->num_messages,
        .ideal = series->ideal,
    };
    app_sweep_result_summarize(r, makespans, series->num_runs);
}

void app_sweep_result_clear(app_sweep_result *r)
{
    g_clear_pointer(&r->makespans, g_free);
}

double app_sweep_result_slowdown(const app_sweep_result *r, sim_time makespan)
{
    return r->ideal > 0 ? (double)(makespan - r->ideal) / (double)r->ideal : 0.0;
}
