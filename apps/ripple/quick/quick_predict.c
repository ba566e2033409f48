/* apps/ripple/quick/quick_predict.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_quick_predict, cli_quick. */
#include "quick/quick_predict.h"

#include "experiment/scaling.h"

static const double SIZES = 0.5;  /* of the time; the rest is for the knock-out */
static const double LEAST = 1e-9; /* s: none is left, which is not any */

/* Tables refer to series of the results, not of the selection that was looked at. */
static void borrow_again(app_knockout *knockout, const app_results *results)
{
    for (size_t t = 0; t < knockout->num_tables; t++) {
        const uint32_t ranks = knockout->tables[t].all->ranks;
        for (size_t i = 0; i < results->num_series; i++) {
            const app_series *s = &results->series[i];
            if (s->ranks == ranks && s->mode == APP_UNSYNCHRONIZED) {
                knockout->tables[t].all = s;
            }
        }
    }
}

bool app_quick_predict(const app_experiment *x, double seconds, app_quick_prediction *out,
                       GError **error)
{
    *out = (app_quick_prediction){0};
    const gint64 began = g_get_monotonic_time();
    out->results = app_scaling_run_within(x, SIZES * seconds, error);
    if (out->results == NULL) {
        return false;
    }
    if (out->results->stopped_by != NULL || !app_noise_is_some(x->noise)) {
        return true;
    }
    g_autofree app_series *series = g_new0(app_series, out->results->num_series + 1);
    app_results unsynchronized = {.series = series, .noisy = true};
    for (size_t i = 0; i < out->results->num_series; i++) {
        if (out->results->series[i].mode == APP_UNSYNCHRONIZED) {
            series[unsynchronized.num_series++] = out->results->series[i];
        }
    }
    const double left = seconds - (double)(g_get_monotonic_time() - began) / 1e6;
    const app_knockout_wish wish = {.wanted = true, .seconds = MAX(left, LEAST)};
    out->knockout = app_knockout_run(x, &unsynchronized, &wish, error);
    if (out->knockout == NULL) {
        return false;
    }
    borrow_again(out->knockout, out->results);
    return true;
}

void app_quick_prediction_clear(app_quick_prediction *p)
{
    app_knockout_free(p->knockout); /* borrows from the results */
    if (p->results != NULL) {
        app_results_free(p->results);
    }
    *p = (app_quick_prediction){0};
}
