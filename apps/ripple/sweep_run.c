/* apps/ripple/sweep_run.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_run.h"

#include "experiment.h"
#include "progress.h"

int64_t app_sweep_left(const app_sweep_plan *plan, app_sweep_database *database, bool *left,
                       GError **error)
{
    int64_t n = 0;
    for (size_t i = 0; i < plan->num_points; i++) {
        const int done = app_sweep_database_is_done(database, i, error);
        if (done < 0) {
            return -1;
        }
        left[i] = done == 0;
        n += left[i];
    }
    return n;
}

static bool run_point(const app_sweep_plan *plan, size_t i, app_sweep_maker *maker,
                      app_sweep_database *database, const app_sweep_run_options *options,
                      app_progress *progress, GError **error)
{
    const app_sweep_setup *s = app_sweep_plan_make(plan, i, maker, error);
    if (s == NULL) {
        return false;
    }
    const app_experiment experiment = {
        .source = s->source,
        .sizes = &s->ranks,
        .num_sizes = 1,
        .params = &s->machine->params,
        .noise = s->noise,
        .seed = s->seed,
        .threads = options->threads,
        .no_breakdown = true,
        .verb = options->verb,
        .progress = progress,
    };
    g_autoptr(app_results) results = app_experiment_run(&experiment, error);
    if (results == NULL) {
        g_autofree char *where = app_sweep_study_describe(plan->study, i);
        g_prefix_error(error, "point %zu (%s): ", i, where);
        return false;
    }
    g_auto(app_sweep_result) result = {0};
    app_sweep_result_take(&result, results, s->cosched);
    return app_sweep_database_add_result(database, i, &result, error);
}

bool app_sweep_run(const app_sweep_plan *plan, app_sweep_maker *maker, app_sweep_database *database,
                   const bool *left, const app_sweep_run_options *options, GError **error)
{
    double work = 0;
    uint64_t runs = 0;
    for (size_t i = 0; i < plan->num_points; i++) {
        work += left[i] ? plan->work[i] : 0;
        runs += left[i] ? plan->runs[i] : 0;
    }
    g_autoptr(app_progress) progress =
        app_progress_new(options->verb, "runs", runs, options->quiet);
    for (size_t k = 0; k < plan->num_points; k++) {
        const size_t i = plan->order[k];
        if (left[i]) {
            app_progress_weigh(progress, plan->work[i] / plan->runs[i], work);
            if (!run_point(plan, i, maker, database, options, progress, error)) {
                return false;
            }
        }
    }
    return true;
}
