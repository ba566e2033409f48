/* apps/ripple/experiment.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment.h"

#include "error.h"
#include "memory.h"
#include "noise/injection.h"
#include "progress.h"

#include <string.h>

enum {
    RANK_BYTES = 1024,  /* of one run, per rank: clocks, queues, messages in flight */
    EXPLAIN_BYTES = 56, /* of an explained run, per operation */
};

static const double LEVEL = 0.95; /* of confidence intervals */

/* The runs of one size. */
typedef struct batch {
    const app_experiment *experiment;
    const sim_program *program;
    app_series *series; /* ideal first */
    bool explain;       /* there is memory for it */
    app_progress *progress;
    GMutex mutex; /* guards what follows */
    GError *error;
    size_t error_job; /* the lowest one that failed: the error does not depend on threads */
} batch;

const char *app_mode_name(app_mode mode)
{
    static const char *const NAMES[APP_NUM_MODES] = {"ideal", "unsynchronized", "co-scheduled"};
    return NAMES[mode];
}

double app_slowdown(const app_series *series, sim_time makespan)
{
    return series->ideal > 0 ? (double)(makespan - series->ideal) / (double)series->ideal : 0.0;
}

static noise_injection *inject(const app_experiment *x, uint32_t ranks, app_mode mode,
                               uint32_t replica)
{
    const noise_injection_options options = {
        .sync = mode == APP_COSCHEDULED ? NOISE_COSCHEDULED : NOISE_UNSYNCHRONIZED,
        .sigma = x->noise->sigma,
        .ranks_per_node = x->noise->ranks_per_node,
        .seed = x->seed,
        .replica = replica,
    };
    return noise_injection_new(x->noise->signature, ranks, &options);
}

static bool run_one(batch *b, app_series *series, uint32_t replica, GError **error)
{
    const app_experiment *x = b->experiment;
    g_autoptr(noise_injection) injection =
        series->mode != APP_IDEAL ? inject(x, series->ranks, series->mode, replica) : NULL;
    const bool explain = replica == 0 && b->explain;
    const sim_run_options options = {
        .noise = injection != NULL ? noise_injection_hook(injection) : NULL,
        .sink =
            x->sink != NULL ? x->sink(x->sink_data, series->ranks, series->mode, replica) : NULL,
        .explain = explain,
    };
    g_autoptr(sim_result) result = sim_run(b->program, x->params, &options, error);
    if (result == NULL) {
        return false;
    }
    series->runs[replica].makespan = result->makespan;
    if (x->keep_finish) {
        series->runs[replica].finish = g_steal_pointer(&result->finish);
    }
    if (replica == 0) {
        series->num_ops = result->num_ops;
        series->num_messages = result->num_messages;
    }
    if (explain) {
        series->has_breakdown = true;
        series->breakdown = result->breakdown;
        series->explanation = x->explain ? app_explanation_new(b->program, result) : NULL;
    }
    return true;
}

/* Jobs count the runs from 1 (the pool takes no NULL): the ideal one, then the noisy ones mode by
 * mode. */
static void run_job(gpointer job_pointer, gpointer data)
{
    batch *b = data;
    const size_t job = GPOINTER_TO_SIZE(job_pointer);
    const uint32_t replicas = b->experiment->noise->replicas;
    app_series *series = &b->series[job == 1 ? 0 : 1 + (job - 2) / replicas];
    const uint32_t replica = job == 1 ? 0 : (uint32_t)((job - 2) % replicas);
    GError *error = NULL;
    g_mutex_lock(&b->mutex);
    const bool give_up = b->error != NULL && b->error_job < job;
    g_mutex_unlock(&b->mutex);
    if (!give_up && !run_one(b, series, replica, &error)) {
        g_mutex_lock(&b->mutex);
        if (b->error == NULL || job < b->error_job) {
            g_clear_error(&b->error);
            b->error = g_steal_pointer(&error);
            b->error_job = job;
        }
        g_mutex_unlock(&b->mutex);
        g_clear_error(&error);
    }
    app_progress_advance(b->progress, 1);
}

static uint64_t count_ops(const sim_program *program)
{
    uint64_t n = 0;
    for (uint32_t rank = 0; rank < program->num_ranks; rank++) {
        n += program->class->num_ops(program, rank);
    }
    return n;
}

/* How many runs may go at once, one explained among them; at least one. */
static unsigned concurrency(batch *b, size_t jobs)
{
    const app_experiment *x = b->experiment;
    const uint64_t ops = count_ops(b->program);
    const uint64_t ranks = b->program->num_ranks;
    const uint64_t run = ranks * RANK_BYTES + app_source_memory(x->source, b->program->num_ranks);
    const uint64_t free_bytes = app_memory_available() / 10 * 9;
    const uint64_t explained = APP_NUM_MODES * ops * EXPLAIN_BYTES; /* replica 0 of each */
    b->explain = run + explained <= free_bytes;
    const uint64_t left = free_bytes - (b->explain ? explained : 0);
    const uint64_t fit = MAX(left / MAX(run, 1), 1);
    return (unsigned)MIN(MIN((uint64_t)x->threads, fit), MAX(jobs, 1));
}

static void series_init(app_series *series, uint32_t ranks, app_mode mode, uint32_t runs)
{
    series->ranks = ranks;
    series->mode = mode;
    series->num_runs = runs;
    series->runs = g_new0(app_run, runs);
}

static void summarize(app_series *series, sim_time ideal)
{
    g_autofree sim_time *makespans = g_new(sim_time, series->num_runs);
    for (uint32_t i = 0; i < series->num_runs; i++) {
        makespans[i] = series->runs[i].makespan;
    }
    series->ideal = ideal;
    series->times = app_statistics_of(makespans, series->num_runs, LEVEL);
}

static size_t num_modes(const app_noise *noise)
{
    if (!app_noise_is_some(noise)) {
        return 1;
    }
    return noise->cosched ? 3 : 2;
}

static bool run_all(batch *b, size_t modes, GError **error)
{
    const size_t jobs = 1 + (modes - 1) * b->experiment->noise->replicas;
    GThreadPool *pool = g_thread_pool_new(run_job, b, (int)concurrency(b, jobs), FALSE, error);
    if (pool == NULL) {
        return false;
    }
    for (size_t job = 1; job <= jobs; job++) {
        (void)g_thread_pool_push(pool, GSIZE_TO_POINTER(job), NULL);
    }
    g_thread_pool_free(pool, FALSE, TRUE);
    if (b->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&b->error));
        return false;
    }
    return true;
}

static bool run_size(const app_experiment *x, uint32_t ranks, app_series *series,
                     app_progress *progress, GError **error)
{
    const size_t modes = num_modes(x->noise);
    for (size_t mode = 0; mode < modes; mode++) {
        series_init(&series[mode], ranks, (app_mode)mode, mode > 0 ? x->noise->replicas : 1);
    }
    const uint64_t runs = 1 + (modes - 1) * (uint64_t)x->noise->replicas;
    const uint64_t kept = x->keep_finish ? runs * ranks * sizeof(sim_time) : 0;
    if (!app_source_check_memory(x->source, ranks, kept + (uint64_t)ranks * RANK_BYTES, error)) {
        return false;
    }
    batch b = {.experiment = x, .series = series, .progress = progress};
    b.program = app_source_program(x->source, ranks, error);
    if (b.program == NULL) {
        return false;
    }
    g_mutex_init(&b.mutex);
    const bool ok = run_all(&b, modes, error);
    g_mutex_clear(&b.mutex);
    for (size_t mode = 0; ok && mode < modes; mode++) {
        summarize(&series[mode], series[0].runs[0].makespan);
    }
    return ok;
}

app_results *app_experiment_run(const app_experiment *x, GError **error)
{
    g_autoptr(app_results) results = g_new0(app_results, 1);
    const size_t modes = num_modes(x->noise);
    results->noisy = modes > 1;
    results->num_series = x->num_sizes * modes;
    results->series = g_new0(app_series, results->num_series);
    const uint64_t runs = x->num_sizes * (1 + (modes - 1) * (uint64_t)x->noise->replicas);
    g_autoptr(app_progress) progress = app_progress_new(x->verb, "runs", runs, x->quiet);
    for (size_t i = 0; i < x->num_sizes; i++) {
        if (!run_size(x, x->sizes[i], &results->series[i * modes], progress, error)) {
            return NULL;
        }
    }
    return g_steal_pointer(&results);
}

void app_results_free(app_results *results)
{
    if (results == NULL) {
        return;
    }
    for (size_t i = 0; i < results->num_series; i++) {
        app_series *series = &results->series[i];
        for (uint32_t j = 0; series->runs != NULL && j < series->num_runs; j++) {
            g_free(series->runs[j].finish);
        }
        g_free(series->runs);
        app_explanation_free(series->explanation);
    }
    g_free(results->series);
    g_free(results);
}
