/* apps/ripple/experiment/scaling.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_quick, cli_output. */
#include "experiment/scaling.h"

#include "experiment/estimate.h"
#include "output/error.h"

enum { FEWEST = 5 }; /* the smallest number whose range encloses the median with more than 90 % */
static const uint64_t BUDGET = 40000000; /* operations of all replicas of one mode together */
static const uint64_t LANES_PAY = 16;    /* so many more of them cost the same in lanes */
static const uint64_t ONE_IS_ENOUGH = 2; /* budgets: of larger runs there is one of each mode */

uint32_t app_scaling_replicas(uint32_t wanted, uint64_t operations, bool in_lanes)
{
    const uint64_t budget = in_lanes ? LANES_PAY * BUDGET : BUDGET;
    const uint64_t affordable = budget / MAX(operations, 1);
    const uint64_t fewest = operations > ONE_IS_ENOUGH * budget ? 1 : FEWEST;
    return MIN(wanted, (uint32_t)CLAMP(affordable, fewest, UINT32_MAX));
}

/* Operations at the next size, judged by the size before it. */
static uint64_t expected_ops(const app_results *sofar, uint32_t ranks)
{
    if (sofar->num_series == 0) {
        return 0;
    }
    const app_series *last = &sofar->series[sofar->num_series - 1];
    return last->num_ops / MAX(last->ranks, 1) * ranks;
}

static bool went_in_lanes(const app_results *sofar)
{
    return sofar->num_series > 0 && sofar->series[sofar->num_series - 1].in_lanes;
}

static void take_over(app_results *all, app_results *some)
{
    all->series = g_renew(app_series, all->series, all->num_series + some->num_series);
    for (size_t i = 0; i < some->num_series; i++) {
        all->series[all->num_series++] = some->series[i];
    }
    all->noisy = some->noisy;
    some->num_series = 0;
}

app_results *app_scaling_run(const app_experiment *experiment, GError **error)
{
    g_autoptr(app_results) all = g_new0(app_results, 1);
    for (size_t i = 0; i < experiment->num_sizes; i++) {
        app_noise noise = *experiment->noise;
        noise.replicas = app_scaling_replicas(
            noise.replicas, expected_ops(all, experiment->sizes[i]), went_in_lanes(all));
        app_experiment one = *experiment;
        one.noise = &noise;
        one.sizes = &experiment->sizes[i];
        one.num_sizes = 1;
        GError *why = NULL;
        g_autoptr(app_results) results =
            app_estimate_announce(&one, &why) ? app_experiment_run(&one, &why) : NULL;
        if (results == NULL) {
            if (i == 0 || !g_error_matches(why, APP_ERROR, APP_ERROR_STOPPED)) {
                g_propagate_error(error, why);
                return NULL;
            }
            g_clear_error(&why);
            app_results_cut(all, all->num_series, &experiment->sizes[i], experiment->num_sizes - i);
            break;
        }
        take_over(all, results);
    }
    return g_steal_pointer(&all);
}
