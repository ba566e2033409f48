/* apps/ripple/experiment/experiment_runs.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_app_experiment, test_workload. */
/**
 * @file
 * Which runs there are at each size.
 */
#include "experiment/capacity.h"
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

uint64_t app_experiment_explained_ops(const app_experiment *x, uint32_t ranks, uint32_t few,
                                      uint64_t num_ops)
{
    app_mode modes[APP_NUM_MODES];
    const bool only_ideal = app_experiment_modes(x, modes) == 1 && modes[0] == APP_IDEAL;
    const bool only_few =
        few > 0 && only_ideal && !x->explain && x->record == NULL && x->sink == NULL;
    return only_few ? num_ops / (ranks / few) : num_ops;
}

/* Bytes for the finish times that are kept of one size. */
static uint64_t kept_bytes(const app_experiment *x, uint32_t ranks)
{
    return x->keep_finish ? app_experiment_runs(x) * ranks * sizeof(sim_time) : 0;
}

/* Before anything is run: what is kept of all sizes, and each size beside it. */
bool app_experiment_check_memory(const app_experiment *x, GError **error)
{
    uint64_t kept = 0;
    for (size_t i = 0; i < x->num_sizes; i++) {
        kept += kept_bytes(x, x->sizes[i]);
        if (!app_capacity_check(x->source, x->sizes[i], x->params, x->places, x->noise->signature,
                                kept, error)) {
            return false;
        }
    }
    return true;
}
