/* apps/ripple/experiment/batch.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_app_experiment. */
#include "experiment/batch_private.h"
#include "experiment/run_noise.h"
#include "experiment/work.h"
#include "noise/lanes.h"
#include "sim/error.h"
#include "sim/run_record.h"
#include "system/stop.h"
#include "system/watch.h"

noise_injection_options app_batch_noise(const app_batch *b, app_mode mode, uint32_t replica)
{
    const app_experiment *x = b->experiment;
    return app_run_noise(x->noise, &b->placement, mode, x->seed, x->first_replica + replica);
}

/* Is this the run whose breakdown is shown? */
static bool is_explained(const app_batch *b, uint32_t replica)
{
    return replica == 0 && b->explain;
}

/* Is this the run whose record is kept? */
static bool is_recorded(const app_batch *b, app_mode mode, uint32_t replica)
{
    const app_experiment *x = b->experiment;
    const app_mode recorded = app_noise_is_some(x->noise) ? APP_UNSYNCHRONIZED : APP_IDEAL;
    return x->record != NULL && replica == 0 && mode == recorded;
}

bool app_batch_is_named(const app_batch *b, const app_series *series, uint32_t replica)
{
    const app_experiment *x = b->experiment;
    const bool heard = x->sink != NULL && (replica == 0 || !x->sink_of_first);
    const bool explained = is_explained(b, replica) && (x->explain || series->mode != APP_IDEAL);
    return heard || explained || is_recorded(b, series->mode, replica);
}

/* What the run is to fill, if anything. @return false with an error */
static bool new_record(const app_batch *b, app_mode mode, uint32_t replica, sim_run_record **out,
                       GError **error)
{
    const app_experiment *x = b->experiment;
    *out = NULL;
    if (is_recorded(b, mode, replica)) {
        *out = sim_run_record_create(x->record, x->record_label, error);
    } else if (is_explained(b, replica) && b->spill) {
        *out = sim_run_record_spill(error);
    } else {
        return true;
    }
    return *out != NULL;
}

/* No error will be reported but that of the first task that has one. */
static bool is_given_up(app_batch *b, size_t number)
{
    if (app_stop_is_asked()) {
        return true;
    }
    g_mutex_lock(&b->mutex);
    const bool give_up = b->error != NULL && b->error_task < number;
    g_mutex_unlock(&b->mutex);
    return give_up;
}

typedef struct run_watch {
    app_watch base;
    app_batch *b;
    size_t number; /* of the task */
} run_watch;

static bool is_wanted(const app_watch *watch)
{
    const run_watch *w = (const run_watch *)watch; /* its first member */
    return !is_given_up(w->b, w->number);
}

static bool run_one(const app_batch *b, const app_batch_task *t, app_watch *watch, GError **error)
{
    const app_experiment *x = b->experiment;
    app_series *series = t->series;
    const uint32_t replica = t->first;
    const noise_injection_options o = app_batch_noise(b, series->mode, replica);
    g_autoptr(noise_signature) own = NULL;
    if (x->redraw && series->mode != APP_IDEAL && noise_signature_is_drawn(x->noise->signature)) {
        own = noise_signature_redraw(x->noise->signature, x->seed, o.replica, error);
        if (own == NULL) {
            return false;
        }
    }
    g_autoptr(noise_injection) injection =
        series->mode != APP_IDEAL
            ? noise_injection_new(own != NULL ? own : x->noise->signature, series->ranks, &o)
            : NULL;
    const bool recorded = is_recorded(b, series->mode, replica);
    g_autoptr(sim_run_record) record = NULL;
    if (!new_record(b, series->mode, replica, &record, error)) {
        return false;
    }
    const sim_slices slices = {b->program->num_slices, series->runs[replica].slice};
    const sim_run_options options = {
        .noise = injection != NULL ? noise_injection_hook(injection) : NULL,
        .levels = b->levels,
        .sink = x->sink != NULL && (replica == 0 || !x->sink_of_first)
                    ? x->sink(x->sink_data, series->ranks, series->mode, replica)
                    : NULL,
        .watch = &watch->watch,
        .slices = slices.end != NULL ? &slices : NULL,
        .explain = is_explained(b, replica),
        .record = record,
        .symmetry = !x->no_symmetry && !app_batch_is_named(b, series, replica),
        .threads = recorded ? 1 : b->run_threads, /* its bytes depend on how many */
    };
    g_autoptr(sim_result) result = sim_run(b->program, x->params, &options, error);
    if (result == NULL && series->mode != APP_IDEAL) {
        app_run_noise_blame(x->noise, series->mode, error);
    }
    if (result == NULL || (recorded && !sim_run_record_commit(record, error))) {
        return false;
    }
    app_series_note(series, b->program, replica, result);
    if (x->keep_finish) {
        series->runs[replica].finish = g_steal_pointer(&result->finish);
    }
    if (options.explain) {
        series->has_breakdown = true;
        series->breakdown = result->breakdown;
        series->breakdown_makespan = result->makespan;
        series->explanation = x->explain ? app_explanation_new(b->program, result) : NULL;
    }
    return true;
}

/* @return false: the watch has ended it */
static bool run_lanes(const app_batch *b, const app_batch_task *t, app_watch *watch)
{
    const app_experiment *x = b->experiment;
    app_series *series = t->series;
    const noise_injection_options o = app_batch_noise(b, series->mode, t->first);
    g_autoptr(noise_lanes) noise =
        series->mode != APP_IDEAL ? noise_lanes_new(x->noise->signature, series->ranks, &o, t->n)
                                  : NULL;
    sim_time makespan[SIM_LANES];
    sim_time *finish[SIM_LANES] = {NULL};
    for (uint32_t i = 0; i < t->n && x->keep_finish; i++) {
        finish[i] = series->runs[t->first + i].finish = g_new(sim_time, series->ranks);
    }
    if (!sim_replicas_run(b->replicas, noise != NULL ? noise_lanes_hook(noise) : NULL,
                          &watch->watch, makespan, x->keep_finish ? finish : NULL)) {
        return false;
    }
    for (uint32_t i = 0; i < t->n; i++) {
        series->runs[t->first + i].makespan = makespan[i];
    }
    if (t->first == 0) {
        series->num_ops = sim_replicas_num_ops(b->replicas);
        series->num_messages = sim_replicas_num_messages(b->replicas);
    }
    return true;
}

/* Takes @p error, of a task that is not done; NULL: it was not begun, or ended half-way. */
static void note_undone(app_batch *b, size_t number, GError *error)
{
    g_mutex_lock(&b->mutex);
    if (error == NULL || g_error_matches(error, SIM_ERROR, SIM_ERROR_STOPPED)) {
        b->given_up = true;
    } else if (b->error == NULL || number < b->error_task) {
        g_clear_error(&b->error);
        b->error = g_steal_pointer(&error);
        b->error_task = number;
    }
    g_mutex_unlock(&b->mutex);
    g_clear_error(&error);
}

/* Operations of each of its runs: of the ranks that are run. */
static uint64_t ops_of(const app_batch *b, const app_batch_task *t)
{
    return t->few > 0 ? b->num_ops / (t->series->ranks / t->few) : b->num_ops;
}

double app_batch_work(const app_batch *b, const app_batch_task *t)
{
    const uint32_t all = t->series->ranks;
    return t->in_lanes ? app_work_of_lanes(all, b->num_ops)
                       : app_work_of_run(t->few > 0 ? t->few : all, ops_of(b, t),
                                         is_explained(b, t->first));
}

void app_batch_do(void *data, size_t index)
{
    app_batch *b = data;
    const size_t i = b->begun + index;
    const app_batch_task *t = &g_array_index(b->tasks, app_batch_task, i);
    GError *error = NULL;
    const double work = app_batch_work(b, t);
    run_watch watch = {app_watch_of(b->progress, ops_of(b, t), work), b, i};
    watch.base.is_wanted = is_wanted;
    if (is_given_up(b, i) ||
        !(t->in_lanes ? run_lanes(b, t, &watch.base) : run_one(b, t, &watch.base, &error))) {
        note_undone(b, i, error);
    }
    app_progress_advance(b->progress, t->n, work, &watch.base.reached);
}
