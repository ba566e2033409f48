/* apps/ripple/sweep/sweep_run.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_database, cli_sweep. */
#include "sweep/sweep_run.h"

#include "database/sweep_claim.h"
#include "experiment/experiment.h"
#include "output/error.h"
#include "output/progress.h"
#include "system/stop.h"

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

/* The sweep that is going on. */
typedef struct sweep_work {
    const app_sweep_plan *plan;
    app_sweep_maker *maker;
    app_sweep_database *database;
    const app_sweep_claims *claims;
    const app_sweep_run_options *options;
    app_progress *progress;
} sweep_work;

static bool run_point(const sweep_work *w, size_t i, GError **error)
{
    const app_sweep_plan *plan = w->plan;
    const app_sweep_setup *s = app_sweep_plan_make(plan, i, w->maker, error);
    if (s == NULL) {
        return false;
    }
    app_experiment experiment = app_sweep_plan_experiment(s, w->options->threads);
    const double planned = app_work_total(&plan->work[i]);
    experiment.verb = w->options->verb;
    experiment.no_symmetry = w->options->no_symmetry;
    experiment.progress = w->progress;
    experiment.planned = &planned;
    g_autoptr(app_results) results = app_experiment_run(&experiment, error);
    if (results == NULL) {
        if (error != NULL && !g_error_matches(*error, APP_ERROR, APP_ERROR_STOPPED)) {
            g_autofree char *where = app_sweep_study_describe(plan->study, i);
            g_prefix_error(error, "point %zu (%s): ", i, where);
        }
        return false;
    }
    if (w->options->num_run != NULL) {
        ++*w->options->num_run;
    }
    g_auto(app_sweep_result) result = {0};
    app_sweep_result_take(&result, results, s->noise, s->source);
    return app_sweep_database_add_result(w->database, i, &result, error);
}

/* The point is claimed: nobody else begins it now, but somebody may have ended it. */
static bool do_claimed(const sweep_work *w, size_t i, GError **error)
{
    const int done = app_sweep_database_is_done(w->database, i, error);
    if (done > 0) {
        const app_work *work = &w->plan->work[i];
        app_progress_advance(w->progress, work->runs, app_work_total(work), NULL);
    }
    return done > 0 || (done == 0 && run_point(w, i, error));
}

/* @return false with an error; @p other: somebody else has claimed the point, nothing is done */
static bool do_point(const sweep_work *w, size_t i, bool wait, bool *other, GError **error)
{
    *other = !app_sweep_claims_take(w->claims, i, wait);
    if (*other) {
        return true;
    }
    const bool ok = do_claimed(w, i, error);
    app_sweep_claims_give_back(w->claims, i);
    return ok;
}

/* First what nobody is at work on, then, as they end or die, the points of others. */
static bool do_points(const sweep_work *w, const bool *left, GError **error)
{
    const app_sweep_plan *plan = w->plan;
    g_autofree bool *open = g_memdup2(left, plan->num_points * sizeof *left);
    for (int round = 0; round < 2; round++) {
        for (size_t k = 0; k < plan->num_points; k++) {
            const size_t i = plan->order[k];
            if (!open[i]) {
                continue;
            }
            if (app_stop_is_asked()) {
                return app_stop_fail(error);
            }
            if (!do_point(w, i, round > 0, &open[i], error)) {
                return false;
            }
            if (round > 0 && open[i]) { /* waited for until it was asked to stop */
                return app_stop_fail(error);
            }
        }
    }
    return true;
}

bool app_sweep_run(const app_sweep_plan *plan, app_sweep_maker *maker, app_sweep_database *database,
                   const bool *left, const app_sweep_run_options *options, GError **error)
{
    const app_work work = app_sweep_plan_left(plan, left);
    if (work.runs == 0) {
        return true;
    }
    g_autoptr(app_progress) progress = app_progress_new(options->verb, "runs", options->quiet);
    app_progress_expect(progress, (int64_t)work.runs, app_work_total(&work));
    app_progress_presume(progress, options->seconds);
    const app_sweep_claims *claims = app_sweep_database_claims(database);
    const sweep_work w = {plan, maker, database, claims, options, progress};
    return do_points(&w, left, error);
}
