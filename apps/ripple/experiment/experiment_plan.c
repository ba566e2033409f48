/* apps/ripple/experiment/experiment_plan.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_app_experiment. */
#include "experiment/batch_private.h"
#include "experiment/capacity.h"
#include "experiment/run_noise.h"
#include "experiment/series.h"
#include "noise/lanes.h"
#include "output/error.h"
#include "system/beside.h"
#include "system/memory.h"
#include "system/stop.h"
#include "system/tasks.h"
#include "system/watch.h"

#include <string.h>

enum {
    EXPLAIN_BYTES = 16, /* of an explained run, per operation */
};

static void plan_few(app_batch *b)
{
    const app_experiment *x = b->experiment;
    for (size_t i = 0; i < b->modes && !x->no_symmetry; i++) {
        b->few[i] =
            app_run_representatives(x->noise, b->program, x->params, b->levels, b->series[i].mode);
    }
}

/*
 * May replica 0 of each mode be recorded? That takes about twice as long as running it.
 * @return the memory that is left to the other runs
 */
static uint64_t plan_breakdown(app_batch *b)
{
    const app_experiment *x = b->experiment;
    const uint64_t free_bytes = x->memory > 0 ? x->memory : app_memory_available() / 10 * 9;
    if (x->no_breakdown) {
        return free_bytes;
    }
    if (x->params->order == SIM_ORDER_CREATION) {
        b->unexplained = APP_BREAKDOWN_OF_CREATION;
        return free_bytes;
    }
    const uint64_t ops =
        app_experiment_explained_ops(x, b->program->num_ranks, b->few[0], b->num_ops);
    const uint64_t explained = APP_NUM_MODES * ops * EXPLAIN_BYTES;
    const uint64_t run = app_capacity_run(x->source, b->program->num_ranks, x->params, x->places,
                                          x->noise->signature, 1);
    if (ops > APP_BREAKDOWN_OPS && !x->explain) {
        b->unexplained = APP_BREAKDOWN_TOO_MANY;
    } else if (run + explained <= free_bytes) {
        b->explain = true;
        return free_bytes - explained;
    } else if (explained <= app_disk_available(g_get_tmp_dir())) {
        b->explain = b->spill = true;
    } else {
        b->unexplained = "memory and room for temporary files do not suffice to record it";
    }
    return free_bytes;
}

/* How many tasks may be done at once. */
static unsigned concurrency(const app_batch *b, uint64_t free_bytes)
{
    const app_experiment *x = b->experiment;
    const uint64_t run = app_capacity_run(x->source, b->program->num_ranks, x->params, x->places,
                                          x->noise->signature, x->threads);
    uint64_t need = 0;
    for (guint i = 0; i < b->tasks->len; i++) {
        const bool in_lanes = g_array_index(b->tasks, app_batch_task, i).in_lanes;
        need = MAX(need, in_lanes ? sim_replicas_memory(b->replicas) : run);
    }
    return app_capacity_at_once(need, free_bytes, x->threads, b->tasks->len);
}

/* Does the time of all modes stay in range? Whether noise is co-scheduled makes no difference. */
static bool is_in_time(const app_batch *b)
{
    const app_experiment *x = b->experiment;
    const app_mode mode = x->noise->only_cosched ? APP_COSCHEDULED : APP_UNSYNCHRONIZED;
    const noise_injection_options o = app_batch_noise(b, mode, 0);
    g_autoptr(noise_lanes) noise =
        noise_lanes_new(x->noise->signature, b->program->num_ranks, &o, 1);
    return sim_replicas_in_time(b->replicas, noise_lanes_hook(noise));
}

/* Is replica 0 of each mode run by itself, since it is explained, kept or may be listened to? */
static bool is_first_apart(const app_batch *b)
{
    return b->explain || b->experiment->record != NULL || b->experiment->sink != NULL;
}

static uint32_t few_in_run(const app_batch *b, const app_series *series, uint32_t replica)
{
    return app_batch_is_named(b, series, replica) ? 0 : b->few[series - b->series];
}

/* In lanes if the program is a chain, there is one level, lanes know the noise, and nobody listens
 * to the events of every run; this is the one place that decides. */
static void plan_lanes(app_batch *b)
{
    const app_experiment *x = b->experiment;
    const char *why = NULL;
    const bool all_apart = x->sink != NULL && !x->sink_of_first;
    app_mode modes[APP_NUM_MODES];
    const size_t n = app_experiment_modes(x, modes);
    bool some_whole = false;
    for (size_t i = 0; i < n; i++) {
        some_whole = some_whole || b->few[i] == 0;
    }
    if (!all_apart && some_whole && b->levels == NULL &&
        app_run_noise_in_lanes(x->noise, b->program->num_ranks, modes, n) &&
        (!is_first_apart(b) || x->noise->replicas > 1)) {
        b->replicas = sim_replicas_new(b->program, x->params, &why);
    }
    if (b->replicas != NULL && !is_in_time(b)) {
        g_clear_pointer(&b->replicas, sim_replicas_free);
    }
}

static void add_task(app_batch *b, app_series *series, uint32_t first, uint32_t n, bool in_lanes)
{
    const app_batch_task t = {series, first, n, in_lanes,
                              in_lanes ? 0 : few_in_run(b, series, first)};
    g_array_append_val(b->tasks, t);
}

/* The runs that take longest go first. */
static void plan_tasks(app_batch *b)
{
    for (size_t mode = 0; mode < b->modes; mode++) {
        app_series *series = &b->series[mode];
        for (uint32_t r = 0; r < series->num_runs; r++) {
            if (b->replicas == NULL || b->few[mode] > 0 || (r == 0 && is_first_apart(b))) {
                add_task(b, series, r, 1, false);
            }
        }
    }
    for (size_t mode = 0; mode < b->modes && b->replicas != NULL; mode++) {
        app_series *series = &b->series[mode];
        const uint32_t first = is_first_apart(b) ? 1 : 0;
        series->in_lanes = series->num_runs > first && b->few[mode] == 0;
        for (uint32_t r = first; series->in_lanes && r < series->num_runs; r += SIM_LANES) {
            add_task(b, series, r, MIN(SIM_LANES, series->num_runs - r), true);
        }
    }
}

/* What there is to do, or by how much it differs from what was planned. */
static void tell_progress(const app_batch *b)
{
    double work = 0;
    for (guint i = 0; i < b->tasks->len; i++) {
        work += app_batch_work(b, &g_array_index(b->tasks, app_batch_task, i));
    }
    if (b->planned != NULL) {
        app_progress_expect(b->progress, 0, work - *b->planned);
    } else {
        app_progress_expect(b->progress, (int64_t)app_experiment_runs(b->experiment), work);
    }
}

static void do_tasks(app_batch *b, size_t n, unsigned at_once)
{
    b->run_threads = MAX(b->experiment->threads / at_once, 1U);
    app_tasks_do(n, at_once, app_batch_do, b);
    b->begun += n;
}

/* Of runs by the engine that threads can share, those are best not left over at the end. */
static app_beside plan_beside(const app_batch *b, unsigned most)
{
    const app_experiment *x = b->experiment;
    if (b->replicas != NULL || !app_capacity_is_shared(x->source, b->program->num_ranks, x->params,
                                                       x->places, x->threads)) {
        return (app_beside){0, most};
    }
    g_autofree double *work = g_new(double, b->tasks->len);
    for (guint i = 0; i < b->tasks->len; i++) {
        work[i] = app_batch_work(b, &g_array_index(b->tasks, app_batch_task, i));
    }
    return app_beside_plan(work, b->tasks->len, most, x->threads);
}

static bool run_all(app_batch *b, GError **error)
{
    plan_few(b);
    const uint64_t free_bytes = plan_breakdown(b);
    plan_lanes(b);
    plan_tasks(b);
    tell_progress(b);
    const app_beside plan = plan_beside(b, concurrency(b, free_bytes));
    if (plan.before > 0) {
        do_tasks(b, plan.before, (unsigned)plan.before);
    }
    do_tasks(b, b->tasks->len - plan.before, plan.at_once);
    if (b->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&b->error));
        return false;
    }
    return !b->given_up || app_stop_fail(error);
}

static bool run_size(const app_experiment *x, uint32_t ranks, app_series *series,
                     app_progress *progress, const double *planned, GError **error)
{
    app_batch b = {.experiment = x, .series = series};
    app_mode modes[APP_NUM_MODES];
    b.modes = app_experiment_modes(x, modes);
    for (size_t i = 0; i < b.modes; i++) {
        app_series_init(&series[i], ranks, modes[i],
                        modes[i] == APP_IDEAL ? 1 : x->noise->replicas);
    }
    b.placement = app_noise_placement(x->noise, ranks);
    b.progress = progress;
    b.planned = planned;
    b.program = app_source_program(x->source, ranks, error);
    if (b.program == NULL) {
        return false;
    }
    for (size_t i = 0; x->keep_slices && i < b.modes; i++) {
        app_series_slice(&series[i], b.program);
    }
    sim_levels levels;
    if (app_places_have_levels(x->places)) {
        levels = app_places_levels_at(x->places, ranks);
        b.levels = &levels;
    }
    b.num_ops = app_watch_count_ops(b.program);
    b.tasks = g_array_new(FALSE, FALSE, sizeof(app_batch_task));
    g_mutex_init(&b.mutex);
    const bool ok = run_all(&b, error);
    g_mutex_clear(&b.mutex);
    g_array_unref(b.tasks);
    sim_replicas_free(b.replicas);
    const sim_time ideal = x->ideal > 0 ? x->ideal : series[0].runs[0].makespan;
    for (size_t i = 0; ok && i < b.modes; i++) {
        series[i].unexplained = b.unexplained;
        series[i].passes = app_source_repeat(x->source);
        app_series_summarize(&series[i], x->noise, ideal, x->seed);
    }
    return ok;
}

app_results *app_experiment_run(const app_experiment *x, GError **error)
{
    if (!app_experiment_check_memory(x, error)) {
        return NULL;
    }
    g_autoptr(app_results) results = g_new0(app_results, 1);
    app_mode unused[APP_NUM_MODES];
    const size_t modes = app_experiment_modes(x, unused);
    results->noisy = app_noise_is_some(x->noise) && !x->without_noise;
    results->num_series = x->num_sizes * modes;
    results->series = g_new0(app_series, results->num_series);
    g_autoptr(app_progress) own =
        x->progress == NULL ? app_progress_new(x->verb, "runs", x->quiet) : NULL;
    app_progress *progress = own != NULL ? own : x->progress;
    for (size_t i = 0; i < x->num_sizes; i++) {
        GError *why = NULL;
        if (!run_size(x, x->sizes[i], &results->series[i * modes], progress,
                      x->planned != NULL ? &x->planned[i] : NULL, &why)) {
            if (i == 0 || !g_error_matches(why, APP_ERROR, APP_ERROR_STOPPED)) {
                g_propagate_error(error, why);
                return NULL;
            }
            g_clear_error(&why);
            app_results_cut(results, i * modes, x->sizes + i, x->num_sizes - i);
            break;
        }
    }
    return g_steal_pointer(&results);
}
