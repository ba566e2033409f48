/* apps/ripple/experiment/scaling.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_quick, cli_output. */
#include "experiment/scaling.h"

#include "experiment/estimate.h"
#include "experiment/pace.h"
#include "output/error.h"

#include <math.h>

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

static void take_over(app_results *all, app_results *some)
{
    all->series = g_renew(app_series, all->series, all->num_series + some->num_series);
    for (size_t i = 0; i < some->num_series; i++) {
        all->series[all->num_series++] = some->series[i];
    }
    all->noisy = some->noisy;
    some->num_series = 0;
}

/* What is to be done at one of the sizes. */
typedef struct stage {
    app_noise noise; /* of the experiment, but for the replicas */
    double planned;  /* work */
} stage;

/* @return [num_sizes], owned by the caller; NULL with an error */
static stage *plan(const app_experiment *x, bool in_lanes, app_work *all, GError **error)
{
    g_autofree stage *stages = g_new0(stage, x->num_sizes);
    *all = (app_work){0};
    for (size_t i = 0; i < x->num_sizes; i++) {
        uint64_t num_ops = 0;
        if (!app_source_count(x->source, x->sizes[i], &num_ops, error)) {
            return NULL;
        }
        stages[i].noise = *x->noise;
        stages[i].noise.replicas = app_scaling_replicas(x->noise->replicas, num_ops, in_lanes);
        app_experiment one = *x;
        one.noise = &stages[i].noise;
        const app_work work = app_workload_at(&one, x->sizes[i], num_ops, in_lanes);
        stages[i].planned = app_work_total(&work);
        app_work_add(all, &work);
    }
    return g_steal_pointer(&stages);
}

/* Has the time room for one more, and is it worth it? */
static bool has_room(const app_experiment *x, const stage *stages, size_t i, const app_pace *pace)
{
    return i == 0 || isinf(pace->seconds) ||
           (stages[i].noise.replicas >= MIN(x->noise->replicas, FEWEST) &&
            app_pace_has_room(pace, stages[i].planned));
}

static app_results *run_stages(const app_experiment *x, const stage *stages, app_progress *progress,
                               app_pace *pace, GError **error)
{
    g_autoptr(app_results) all = g_new0(app_results, 1);
    for (size_t i = 0; i < x->num_sizes; i++) {
        if (!has_room(x, stages, i, pace)) {
            app_results_leave_out(all, &x->sizes[i], x->num_sizes - i);
            break;
        }
        app_pace_begin_step(pace);
        app_experiment one = *x;
        one.noise = &stages[i].noise;
        one.sizes = &x->sizes[i];
        one.num_sizes = 1;
        one.progress = progress;
        one.planned = &stages[i].planned;
        GError *why = NULL;
        g_autoptr(app_results) results = app_experiment_run(&one, &why);
        if (results == NULL) {
            if (i == 0 || !g_error_matches(why, APP_ERROR, APP_ERROR_STOPPED)) {
                g_propagate_error(error, why);
                return NULL;
            }
            g_clear_error(&why);
            app_results_cut(all, all->num_series, &x->sizes[i], x->num_sizes - i);
            break;
        }
        take_over(all, results);
        app_pace_end_step(pace, stages[i].planned);
    }
    return g_steal_pointer(&all);
}

/* Within a time nobody has to be told how long it takes. */
static app_progress *begin(const app_experiment *x, const app_work *all, bool in_lanes,
                           const app_pace *pace, GError **error)
{
    if (isinf(pace->seconds)) {
        return app_estimate_begin(x, all, in_lanes, error);
    }
    return app_progress_new(x->verb, "runs", x->quiet);
}

static app_results *run_paced(const app_experiment *experiment, app_pace *pace, GError **error)
{
    const bool in_lanes = app_workload_in_lanes(experiment);
    app_work all;
    g_autofree stage *stages = app_experiment_check_memory(experiment, error)
                                   ? plan(experiment, in_lanes, &all, error)
                                   : NULL;
    g_autoptr(app_progress) progress =
        stages != NULL ? begin(experiment, &all, in_lanes, pace, error) : NULL;
    return progress != NULL ? run_stages(experiment, stages, progress, pace, error) : NULL;
}

app_results *app_scaling_run(const app_experiment *experiment, GError **error)
{
    app_pace pace = app_pace_new(INFINITY);
    return run_paced(experiment, &pace, error);
}

app_results *app_scaling_run_within(const app_experiment *experiment, double seconds,
                                    GError **error)
{
    app_pace pace = app_pace_new(seconds);
    return run_paced(experiment, &pace, error);
}
