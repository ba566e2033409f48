/* apps/ripple/steady/steady_breakdown.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_steady. */
#include "steady/steady_breakdown.h"

static const uint64_t OPS = 1000000; /* of the passes that are recorded, unless one has more */
static const double RECORDING = 3;   /* how much longer a run takes that is recorded, about */

static uint32_t passes_of(const app_steady_size *size, uint32_t most)
{
    return (uint32_t)CLAMP(OPS / MAX(size->pass_ops, 1), 1, most);
}

static bool is_recorded(const app_steady_size *size)
{
    return size->pass_ops <= APP_BREAKDOWN_OPS || size->experiment->explain;
}

double app_steady_breakdown_seconds(const app_steady_size *size, const app_steady_pace *pace)
{
    const uint32_t most = app_steady_planned_passes(size, pace);
    return is_recorded(size)
               ? RECORDING * app_steady_seconds(size, pace, passes_of(size, most), APP_NUM_MODES)
               : 0;
}

void app_steady_take_breakdown(app_series *to, app_series *from)
{
    app_explanation_free(to->explanation);
    to->has_breakdown = from->has_breakdown;
    to->unexplained = from->unexplained;
    to->breakdown = from->breakdown;
    to->breakdown_makespan = from->breakdown_makespan;
    to->breakdown_passes = from->breakdown_passes;
    to->explanation = g_steal_pointer(&from->explanation);
}

bool app_steady_break_down(const app_steady_size *size, app_series *ideal, app_series *noisy,
                           app_series *together, GError **error)
{
    app_series *const series[APP_NUM_MODES] = {ideal, noisy, together};
    const uint32_t passes = passes_of(size, ideal->passes);
    for (int mode = 0; mode < APP_NUM_MODES; mode++) {
        if (series[mode] != NULL) {
            series[mode]->unexplained = is_recorded(size) ? NULL : APP_BREAKDOWN_TOO_MANY;
        }
    }
    if (!is_recorded(size)) {
        return true;
    }
    app_noise noise = *size->experiment->noise;
    noise.cosched = together != NULL;
    noise.only_cosched = noisy == NULL;
    noise.replicas = 1;
    app_experiment x = *size->experiment;
    x.noise = &noise;
    x.sizes = &size->ranks;
    x.num_sizes = 1;
    app_source_set_repeat(x.source, passes);
    g_autoptr(app_results) results = app_experiment_run(&x, error);
    for (size_t i = 0; results != NULL && i < results->num_series; i++) {
        app_series *from = &results->series[i];
        from->breakdown_passes = from->has_breakdown ? from->passes : 0;
        app_steady_take_breakdown(series[from->mode], from);
    }
    return results != NULL;
}
