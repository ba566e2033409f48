/* apps/ripple/experiment/experiment.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/experiment.h"

#include "experiment/capacity.h"
#include "experiment/run_noise.h"
#include "experiment/series.h"
#include "experiment/work.h"
#include "noise/injection.h"
#include "noise/lanes.h"
#include "output/error.h"
#include "sim/error.h"
#include "sim/replica.h"
#include "sim/run_record.h"
#include "system/memory.h"
#include "system/stop.h"
#include "system/tasks.h"
#include "system/watch.h"

#include <string.h>

enum {
    EXPLAIN_BYTES = 16, /* of an explained run, per operation */
};

/* Replicas of a series that one thread runs together. */
typedef struct task {
    app_series *series;
    uint32_t first;
    uint32_t n;    /* 1 but in lanes */
    bool in_lanes; /* by sim_replicas_run(), else by sim_run() */
    uint32_t few;  /* ranks that stand for all; 0: each is run */
} task;

/* The runs of one size. */
typedef struct batch {
    const app_experiment *experiment;
    const sim_program *program;
    const sim_levels *levels; /* NULL: there is one */
    sim_replicas *replicas;   /* NULL: one run at a time */
    sim_placement placement;  /* of its ranks */
    app_series *series;       /* ideal first */
    size_t modes;
    uint32_t few[APP_NUM_MODES]; /* by mode: ranks that stand for all; 0: each is run */
    GArray *tasks;               /* of task */
    bool explain;                /* replica 0 is recorded */
    const char *unexplained;     /* why it is not recorded */
    bool spill;                  /* the record of replica 0 goes to a temporary file */
    unsigned run_threads;        /* for one run of sim_run() */
    uint64_t num_ops;            /* of one run */
    app_progress *progress;
    const double *planned; /* work that progress expects; NULL: nothing yet */
    GMutex mutex;          /* guards what follows */
    bool given_up;         /* some task, since it was asked to stop or for the error */
    GError *error;
    size_t error_task; /* the lowest one that failed: the error does not depend on threads */
} batch;

static noise_injection_options options_of(const batch *b, app_mode mode, uint32_t replica)
{
    const app_experiment *x = b->experiment;
    return app_run_noise(x->noise, &b->placement, mode, x->seed, x->first_replica + replica);
}

/* Is this the run whose breakdown is shown? */
static bool is_explained(const batch *b, uint32_t replica)
{
    return replica == 0 && b->explain;
}

/* Is this the run whose record is kept? */
static bool is_recorded(const batch *b, app_mode mode, uint32_t replica)
{
    const app_experiment *x = b->experiment;
    const app_mode recorded = app_noise_is_some(x->noise) ? APP_UNSYNCHRONIZED : APP_IDEAL;
    return x->record != NULL && replica == 0 && mode == recorded;
}

/* Is something told of ranks, or passes, by name? Then none stand for others. */
static bool is_named(const batch *b, const app_series *series, uint32_t replica)
{
    const app_experiment *x = b->experiment;
    const bool heard = x->sink != NULL && (replica == 0 || !x->sink_of_first);
    const bool explained = is_explained(b, replica) && (x->explain || series->mode != APP_IDEAL);
    return heard || explained || is_recorded(b, series->mode, replica);
}

/* What the run is to fill, if anything. @return false with an error */
static bool new_record(const batch *b, app_mode mode, uint32_t replica, sim_run_record **out,
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
static bool is_given_up(batch *b, size_t number)
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
    batch *b;
    size_t number; /* of the task */
} run_watch;

static bool is_wanted(const app_watch *watch)
{
    const run_watch *w = (const run_watch *)watch; /* its first member */
    return !is_given_up(w->b, w->number);
}

static bool run_one(const batch *b, const task *t, app_watch *watch, GError **error)
{
    const app_experiment *x = b->experiment;
    app_series *series = t->series;
    const uint32_t replica = t->first;
    const noise_injection_options o = options_of(b, series->mode, replica);
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
        .symmetry = !x->no_symmetry && !is_named(b, series, replica),
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
static bool run_lanes(const batch *b, const task *t, app_watch *watch)
{
    const app_experiment *x = b->experiment;
    app_series *series = t->series;
    const noise_injection_options o = options_of(b, series->mode, t->first);
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
static void note_undone(batch *b, size_t number, GError *error)
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
static uint64_t ops_of(const batch *b, const task *t)
{
    return t->few > 0 ? b->num_ops / (t->series->ranks / t->few) : b->num_ops;
}

static double work_of(const batch *b, const task *t)
{
    const uint32_t all = t->series->ranks;
    return t->in_lanes ? app_work_of_lanes(all, b->num_ops)
                       : app_work_of_run(t->few > 0 ? t->few : all, ops_of(b, t),
                                         is_explained(b, t->first));
}

static void run_task(void *data, size_t i)
{
    batch *b = data;
    const task *t = &g_array_index(b->tasks, task, i);
    GError *error = NULL;
    const double work = work_of(b, t);
    run_watch watch = {app_watch_of(b->progress, ops_of(b, t), work), b, i};
    watch.base.is_wanted = is_wanted;
    if (is_given_up(b, i) ||
        !(t->in_lanes ? run_lanes(b, t, &watch.base) : run_one(b, t, &watch.base, &error))) {
        note_undone(b, i, error);
    }
    app_progress_advance(b->progress, t->n, work, &watch.base.reached);
}

/* What runs may take. */
static uint64_t usable_memory(const app_experiment *x)
{
    return x->memory > 0 ? x->memory : app_memory_available() / 10 * 9;
}

static void plan_few(batch *b)
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
static uint64_t plan_breakdown(batch *b)
{
    const app_experiment *x = b->experiment;
    const uint64_t free_bytes = usable_memory(x);
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

/* How many tasks are done at once. */
static unsigned concurrency(const batch *b, uint64_t free_bytes)
{
    const app_experiment *x = b->experiment;
    uint64_t need = 0;
    for (guint i = 0; i < b->tasks->len; i++) {
        const uint64_t one = g_array_index(b->tasks, task, i).in_lanes
                                 ? sim_replicas_memory(b->replicas)
                                 : app_capacity_run(x->source, b->program->num_ranks, x->params,
                                                    x->places, x->noise->signature, x->threads);
        need = MAX(need, one);
    }
    return app_capacity_at_once(need, free_bytes, x->threads, b->tasks->len, b->replicas == NULL);
}

/* Does the time of all modes stay in range? Whether noise is co-scheduled makes no difference. */
static bool is_in_time(const batch *b)
{
    const app_experiment *x = b->experiment;
    const app_mode mode = x->noise->only_cosched ? APP_COSCHEDULED : APP_UNSYNCHRONIZED;
    const noise_injection_options o = options_of(b, mode, 0);
    g_autoptr(noise_lanes) noise =
        noise_lanes_new(x->noise->signature, b->program->num_ranks, &o, 1);
    return sim_replicas_in_time(b->replicas, noise_lanes_hook(noise));
}

/* Is replica 0 of each mode run by itself, since it is explained, kept or may be listened to? */
static bool is_first_apart(const batch *b)
{
    return b->explain || b->experiment->record != NULL || b->experiment->sink != NULL;
}

static uint32_t few_in_run(const batch *b, const app_series *series, uint32_t replica)
{
    return is_named(b, series, replica) ? 0 : b->few[series - b->series];
}

/* In lanes if the program is a chain, there is one level, lanes know the noise, and nobody listens
 * to the events of every run; this is the one place that decides. */
static void plan_lanes(batch *b)
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

static void add_task(batch *b, app_series *series, uint32_t first, uint32_t n, bool in_lanes)
{
    const task t = {series, first, n, in_lanes, in_lanes ? 0 : few_in_run(b, series, first)};
    g_array_append_val(b->tasks, t);
}

/* The runs that take longest go first. */
static void plan_tasks(batch *b)
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
static void tell_progress(const batch *b)
{
    double work = 0;
    for (guint i = 0; i < b->tasks->len; i++) {
        work += work_of(b, &g_array_index(b->tasks, task, i));
    }
    if (b->planned != NULL) {
        app_progress_expect(b->progress, 0, work - *b->planned);
    } else {
        app_progress_expect(b->progress, (int64_t)app_experiment_runs(b->experiment), work);
    }
}

static bool run_all(batch *b, GError **error)
{
    plan_few(b);
    const uint64_t free_bytes = plan_breakdown(b);
    plan_lanes(b);
    plan_tasks(b);
    tell_progress(b);
    const unsigned at_once = concurrency(b, free_bytes);
    b->run_threads = MAX(b->experiment->threads / at_once, 1U);
    app_tasks_do(b->tasks->len, at_once, run_task, b);
    if (b->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&b->error));
        return false;
    }
    return !b->given_up || app_stop_fail(error);
}

static bool run_size(const app_experiment *x, uint32_t ranks, app_series *series,
                     app_progress *progress, const double *planned, GError **error)
{
    batch b = {.experiment = x, .series = series};
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
    b.tasks = g_array_new(FALSE, FALSE, sizeof(task));
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
