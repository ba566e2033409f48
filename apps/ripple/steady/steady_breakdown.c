/* apps/ripple/steady/steady_breakdown.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_steady. */
#include "steady/steady_breakdown.h"

static const uint64_t OPS = 1000000; /* of the passes that are recorded, unless one has more */
static const double RECORDING = 3;   /* how much longer a run takes that is recorded, about */

static uint32_t passes_of(const app_steady_size *size, uint32_t most)
{
    return (uint32_t)CLAMP(OPS / MAX(size->pass_ops, 1), 1, most);
}

double app_steady_breakdown_seconds(const app_steady_size *size, const app_steady_pace *pace)
{
    const uint32_t most = app_steady_planned_passes(size, pace);
    return size->pass_ops > APP_BREAKDOWN_OPS
               ? 0
               : RECORDING * app_steady_seconds(size, pace, passes_of(size, most), APP_NUM_MODES);
}

void app_steady_take_breakdown(app_series *to, const app_series *from)
{
    to->has_breakdown = from->has_breakdown;
    to->unexplained = from->unexplained;
    to->breakdown = from->breakdown;
    to->breakdown_makespan = from->breakdown_makespan;
}

static void take(app_series *to, const app_series *from)
{
    app_steady_take_breakdown(to, from);
    to->breakdown_makespan = from->runs[0].makespan;
}

bool app_steady_break_down(const app_steady_size *size, bool cosched, app_series *ideal,
                           app_series *noisy, app_series *together, GError **error)
{
    app_noise noise = *size->experiment->noise;
    noise.cosched = cosched;
    noise.only_cosched = false;
    noise.replicas = 1;
    app_experiment x = *size->experiment;
    if (size->pass_ops > APP_BREAKDOWN_OPS) {
        ideal->unexplained = noisy->unexplained = together->unexplained = APP_BREAKDOWN_TOO_MANY;
        return true;
    }
    x.noise = &noise;
    x.sizes = &size->ranks;
    x.num_sizes = 1;
    app_source_set_repeat(x.source, passes_of(size, noisy->passes));
    g_autoptr(app_results) results = app_experiment_run(&x, error);
    if (results == NULL) {
        return false;
    }
    take(ideal, &results->series[0]);
    take(noisy, &results->series[1]);
    if (cosched) {
        take(together, &results->series[2]);
    }
    return true;
}
