/* apps/ripple/experiment/experiment_runs.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_app_experiment, test_workload. */
/**
 * @file
 * Which runs there are at each size.
 */
#include "experiment/experiment.h"

size_t app_experiment_modes(const app_experiment *x, app_mode modes[APP_NUM_MODES])
{
    const bool noisy = app_noise_is_some(x->noise) && !x->without_noise;
    size_t n = 0;
    if (x->ideal == 0) {
        modes[n++] = APP_IDEAL;
    }
    if (noisy && !x->noise->only_cosched) {
        modes[n++] = APP_UNSYNCHRONIZED;
    }
    if (noisy && x->noise->cosched) {
        modes[n++] = APP_COSCHEDULED;
    }
    return n;
}

/* In one mode. */
static uint32_t num_runs(const app_experiment *x, app_mode mode)
{
    return mode == APP_IDEAL ? 1 : x->noise->replicas;
}

uint64_t app_experiment_runs(const app_experiment *x)
{
    app_mode modes[APP_NUM_MODES];
    const size_t n = app_experiment_modes(x, modes);
    uint64_t runs = 0;
    for (size_t i = 0; i < n; i++) {
        runs += num_runs(x, modes[i]);
    }
    return runs;
}
