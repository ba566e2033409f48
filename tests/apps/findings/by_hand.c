/* tests/apps/findings/by_hand.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "by_hand.h"

static const sim_time PASS = 100 * SIM_US;
enum { PASSES = 3, MOST_MET = 4 };

static void fill_ideal(app_series *s, uint32_t ranks)
{
    app_series_init(s, ranks, APP_IDEAL, 1);
    s->passes = PASSES;
    s->ideal = PASS * PASSES;
    s->runs[0].makespan = s->ideal;
    s->times = app_statistics_of(&s->ideal, 1, 0.95);
    s->unexplained = "by hand";
}

static void fill_noisy(app_series *s, const hand_series *h)
{
    g_autofree sim_time *makespans = g_new(sim_time, h->n);
    app_series_init(s, h->ranks, h->mode, h->n);
    s->quantity = h->quantity;
    s->passes = PASSES;
    s->ideal = PASS * PASSES;
    s->unexplained = "by hand";
    for (uint32_t r = 0; r < h->n; r++) {
        makespans[r] = s->ideal + (sim_time)((double)s->ideal * h->slowdown[r] + 0.5);
        s->runs[r].makespan = makespans[r];
    }
    s->times = app_statistics_of(makespans, h->n, 0.95);
    s->slowdown = app_mean_of(h->slowdown, h->n, 1);
    s->met = g_new0(app_met, MOST_MET);
    for (size_t i = 0; i < MOST_MET; i++) { /* where the noise has several: each alike */
        s->met[i] = (app_met){.by_rank = h->by_rank,
                              .by_run = h->by_run,
                              .share = 0.01,
                              .most = h->by_rank > 0 ? h->by_run / h->by_rank * 0.01 : 0,
                              .ranks = h->ranks};
    }
    s->num_met = 1;
    s->steady = (app_steady){.state = h->state,
                             .half_width = 0.1,
                             .reference = 0.0101,
                             .check = h->check,
                             .drift = h->drift};
    const bool stands = h->state == APP_STEADY_REACHED || h->state == APP_STEADY_WIDE;
    s->steady.absorbed = stands && s->slowdown.high < s->steady.reference;
}

app_results *hand_results(const hand_series *series, size_t n)
{
    app_results *results = g_new0(app_results, 1);
    results->noisy = true;
    results->num_series = 2 * n;
    results->series = g_new0(app_series, 2 * n);
    for (size_t i = 0; i < n; i++) {
        fill_ideal(&results->series[2 * i], series[i].ranks);
        fill_noisy(&results->series[2 * i + 1], &series[i]);
    }
    return results;
}

const app_noise *hand_noise(const char *text)
{
    static app_noise noise;
    noise_signature_free(noise.signature);
    noise = (app_noise){.signature = noise_signature_parse(text, 1, NULL), .replicas = 10};
    return &noise;
}
