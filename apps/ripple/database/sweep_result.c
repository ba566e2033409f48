/* apps/ripple/database/sweep_result.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_database. */
#include "database/sweep_result.h"

static const double LEVEL = 0.95; /* of the confidence interval */

const char *const app_sweep_origins[] = {
    [APP_ORIGIN_VALID] = "valid",     [APP_ORIGIN_MODEL] = "model",
    [APP_ORIGIN_PRESET] = "preset",   [APP_ORIGIN_UNKNOWN] = "unknown",
    [APP_ORIGIN_INVALID] = "invalid", [APP_NUM_ORIGINS] = NULL};

const char *const app_sweep_quantities[] = {[APP_PASS] = "pass", [APP_STEADY] = "steady", NULL};

void app_sweep_result_summarize(app_sweep_result *r, const sim_time *makespans, uint32_t n)
{
    r->series.num_runs = n;
    r->makespans = g_memdup2(makespans, n * sizeof *makespans);
    r->series.times = app_statistics_of(makespans, n, LEVEL);
}

static app_sweep_origin origin_of(const noise_component *c)
{
    if (c->provenance == NULL) {
        return c->origin == NOISE_ORIGIN_PRESET ? APP_ORIGIN_PRESET : APP_ORIGIN_MODEL;
    }
    switch (c->provenance->validity) {
    case NOISE_VALIDITY_VALID:
        return APP_ORIGIN_VALID;
    case NOISE_VALIDITY_INVALID:
        return APP_ORIGIN_INVALID;
    default:
        return APP_ORIGIN_UNKNOWN;
    }
}

static void take_components(app_sweep_result *r, const noise_signature *signature)
{
    r->components = g_new0(app_sweep_component, r->series.num_met);
    for (size_t i = 0; i < r->series.num_met; i++) {
        const noise_component *c = noise_signature_component(signature, i);
        const char *file = c->provenance != NULL ? c->provenance->path : NULL;
        r->components[i] = (app_sweep_component){
            .name = g_strdup(c->name),
            .origin = origin_of(c),
            .source = g_strdup(c->origin == NOISE_ORIGIN_PRESET ? c->preset : file),
            .interval = c->interval,
            .length = c->mean_length,
        };
    }
}

void app_sweep_result_take(app_sweep_result *r, const app_results *results, const app_noise *noise,
                           const app_source *source)
{
    const app_mode noisy = noise->cosched ? APP_COSCHEDULED : APP_UNSYNCHRONIZED;
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
        .series = {.ranks = series->ranks,
                   .mode = series->mode,
                   .ideal = series->ideal,
                   .num_ops = series->num_ops,
                   .num_messages = series->num_messages,
                   .quantity = series->quantity,
                   .passes = series->passes,
                   .slowdown = series->slowdown,
                   .met = g_memdup2(series->met, series->num_met * sizeof *series->met),
                   .num_met = series->num_met},
    };
    app_sweep_result_summarize(r, makespans, series->num_runs);
    take_components(r, noise->signature);
    r->conditions = app_conditions_new(results, noise, source);
}

void app_sweep_result_clear(app_sweep_result *r)
{
    for (size_t i = 0; r->components != NULL && i < r->series.num_met; i++) {
        g_free(r->components[i].name);
        g_free(r->components[i].source);
    }
    g_clear_pointer(&r->components, g_free);
    g_clear_pointer(&r->makespans, g_free);
    g_clear_pointer(&r->conditions, app_conditions_free);
    app_series_clear(&r->series);
    r->series = (app_series){0};
}

double app_sweep_result_slowdown(const app_sweep_result *r, sim_time makespan)
{
    return app_slowdown(&r->series, makespan);
}

app_sweep_origin app_sweep_result_origin(const app_sweep_result *r)
{
    app_sweep_origin worst = APP_ORIGIN_VALID;
    for (size_t i = 0; i < r->series.num_met; i++) {
        worst = MAX(worst, r->components[i].origin);
    }
    return worst;
}

const char *app_sweep_result_method(const app_sweep_result *r)
{
    if (r->series.slowdown.level == 0) {
        return "range";
    }
    return r->series.slowdown.is_bootstrap ? "bootstrap" : "t";
}
