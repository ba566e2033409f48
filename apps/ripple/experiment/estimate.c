/* apps/ripple/experiment/estimate.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/estimate.h"

#include "experiment/capacity.h"
#include "output/number_text.h"
#include "sim/noise_lanes.h"
#include "system/memory.h"

#include <math.h>

enum {
    MOST_RANKS = 4096,           /* of the measured run of the engine */
    MOST_RANKS_IN_LANES = 65536, /* the same in lanes, which below spend time on beginning */
    MOST_RUNS = 32,
};

static const double PATIENCE_NS = 4e8; /* it is repeated as long, on a busy machine, too */
static const double MOST_WORK = 4e7;   /* of what is measured: some two seconds on one thread */
/* Work from which on an estimate is worth its while, and how much more it is than what is measured.
 */
static const double WORTH_TIMING = 2e8, MUCH_MORE = 8;
static const double WORTH_SAYING = 15; /* seconds */

static uint32_t largest_size(const app_experiment *x)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < x->num_sizes; i++) {
        largest = MAX(largest, x->sizes[i]);
    }
    return largest;
}

/* A size that the program can be had at, not above that of the experiment, nor above @p most. */
static uint32_t smaller_size(const app_experiment *x, uint32_t most)
{
    if (app_source_is_computed(x->source)) {
        return MIN(largest_size(x), MAX(most, 1));
    }
    const uint32_t own = app_source_own_ranks(x->source);
    return MIN(largest_size(x), own * MAX(most / own, 1)); /* it is repeated */
}

/* A part of an experiment that is soon done. */
typedef struct probe {
    app_experiment experiment;
    app_noise noise;
    uint32_t ranks;
    bool in_lanes;
    app_work work;
} probe;

/* Of so many ranks; fewer replicas, then fewer ranks, until there is not much to do. */
static bool probe_init(probe *p, const app_experiment *x, uint32_t most_ranks, uint32_t most_runs,
                       bool in_lanes, GError **error)
{
    *p = (probe){.experiment = *x, .noise = *x->noise, .in_lanes = in_lanes};
    p->noise.replicas = MIN(x->noise->replicas, most_runs);
    p->ranks = smaller_size(x, most_ranks);
    app_experiment *small = &p->experiment;
    small->sizes = &p->ranks;
    small->num_sizes = 1;
    small->noise = &p->noise;
    small->keep_finish = false;
    small->explain = false;
    small->record = NULL;
    small->sink = NULL;
    small->quiet = true;
    small->progress = NULL;
    small->planned = NULL;
    small->no_breakdown = true;
    small->no_symmetry = true; /* what it is told of are runs of all ranks */
    while (true) {
        if (!app_workload_plan(small, p->ranks, in_lanes, &p->work, error)) {
            return false;
        }
        const uint32_t next = smaller_size(x, p->ranks / 4);
        if (app_work_total(&p->work) <= MOST_WORK) {
            return true;
        }
        if (p->noise.replicas > MAX(x->threads, SIM_LANES)) {
            p->noise.replicas /= 2;
        } else if (next < p->ranks) {
            p->ranks = next;
        } else {
            return true;
        }
    }
}

/* ns of wall time for each operation of its work. */
static bool probe_time(const probe *p, double *ns, GError **error)
{
    double best = 0; /* the first one pays for what comes once */
    for (double all = 0; all < PATIENCE_NS;) {
        const gint64 began = g_get_monotonic_time();
        g_autoptr(app_results) results = app_experiment_run(&p->experiment, error);
        if (results == NULL) {
            return false;
        }
        const double taken = (double)(g_get_monotonic_time() - began) * 1e3;
        best = all > 0 ? MIN(best, taken) : taken;
        all += MAX(taken, 1);
    }
    *ns = best / MAX(app_work_total(&p->work), 1);
    return true;
}

/* The runs that will make up most of it. */
static bool main_probe(probe *p, const app_experiment *x, bool in_lanes, GError **error)
{
    return probe_init(p, x, in_lanes ? MOST_RANKS_IN_LANES : MOST_RANKS, MOST_RUNS, in_lanes,
                      error);
}

/* Those of a program in lanes that go one by one all the same: they are recorded. */
static bool time_recorded(const app_experiment *x, double *ns, GError **error)
{
    probe p;
    if (!probe_init(&p, x, MOST_RANKS, 1, true, error)) {
        return false;
    }
    p.experiment.no_breakdown = false;
    return app_workload_plan(&p.experiment, p.ranks, true, &p.work, error) &&
           probe_time(&p, ns, error);
}

bool app_estimate_measure(const app_experiment *x, bool in_lanes, app_estimate *estimate,
                          GError **error)
{
    probe p;
    double ns = 0;
    if (!main_probe(&p, x, in_lanes, error) || !probe_time(&p, &ns, error)) {
        return false;
    }
    double engine_ns = ns;
    if (in_lanes && !x->no_breakdown && !time_recorded(x, &engine_ns, error)) {
        return false;
    }
    *estimate = (app_estimate){
        .engine_ns = engine_ns,
        .lanes_ns = ns,
        .ranks = p.ranks,
        .runs = (uint32_t)p.work.runs,
        .memory = app_capacity_process(x->source, largest_size(x), x->params, x->places,
                                       x->noise->signature, x->threads, app_experiment_runs(x)),
    };
    return true;
}

double app_estimate_seconds(const app_estimate *e, const app_work *work)
{
    return (work->engine * e->engine_ns + work->lanes * e->lanes_ns) / 1e9;
}

void app_estimate_say(const app_estimate *e, const app_work *work, const char *verb,
                      const char *head, unsigned threads)
{
    g_autofree char *time = app_estimate_format_time(app_estimate_seconds(e, work));
    g_autofree char *memory = app_estimate_format_bytes((double)e->memory);
    g_autofree char *there = app_estimate_format_bytes((double)app_memory_available());
    g_autofree char *ranks = app_format_ranks(e->ranks);
    fprintf(stderr, "ripple %s: %s: about %s on %u thread%s, %s of memory, of %s\n", verb, head,
            time, threads, threads == 1 ? "" : "s", memory, there);
    fprintf(stderr, "ripple %s: (judged by %u run%s at %s, %.3g operations in all)\n", verb,
            e->runs, e->runs == 1 ? "" : "s", ranks, app_work_total(work));
}

/* Is it long, and does judging it take much less? */
static bool is_worth_timing(const app_experiment *x, const app_work *work, bool in_lanes)
{
    probe p;
    return !x->quiet && app_work_total(work) >= WORTH_TIMING && main_probe(&p, x, in_lanes, NULL) &&
           app_work_total(work) >= MUCH_MORE * app_work_total(&p.work);
}

app_progress *app_estimate_begin(const app_experiment *x, const app_work *work, bool in_lanes,
                                 GError **error)
{
    if (!app_experiment_check_memory(x, error)) {
        return NULL;
    }
    double seconds = 0;
    if (is_worth_timing(x, work, in_lanes)) {
        app_estimate e;
        if (!app_estimate_measure(x, in_lanes, &e, error)) {
            return NULL;
        }
        seconds = app_estimate_seconds(&e, work);
        if (seconds >= WORTH_SAYING) {
            g_autofree char *runs = app_format_number(work->runs);
            g_autofree char *head = g_strconcat(runs, " runs", NULL);
            app_estimate_say(&e, work, x->verb, head, x->threads);
        }
    }
    app_progress *progress = app_progress_new(x->verb, "runs", x->quiet);
    app_progress_expect(progress, (int64_t)work->runs, app_work_total(work));
    app_progress_presume(progress, seconds);
    return progress;
}

app_results *app_estimate_run(const app_experiment *experiment, GError **error)
{
    if (!app_experiment_check_memory(experiment, error)) {
        return NULL; /* before a program is asked for that nobody could run */
    }
    const bool in_lanes = app_workload_in_lanes(experiment);
    g_autofree double *planned = g_new0(double, experiment->num_sizes);
    app_work all = {0};
    for (size_t i = 0; i < experiment->num_sizes; i++) {
        app_work one;
        if (!app_workload_plan(experiment, experiment->sizes[i], in_lanes, &one, error)) {
            return NULL;
        }
        planned[i] = app_work_total(&one);
        app_work_add(&all, &one);
    }
    g_autoptr(app_progress) progress = app_estimate_begin(experiment, &all, in_lanes, error);
    app_experiment x = *experiment;
    x.progress = progress;
    x.planned = planned;
    return progress != NULL ? app_experiment_run(&x, error) : NULL;
}

char *app_estimate_format_time(double seconds)
{
    if (seconds < 90) {
        return g_strdup_printf("%.0f s", MAX(seconds, 1));
    }
    if (seconds < 600) { /* "3 min" could be half a minute less or more */
        return g_strdup_printf("%.0f s", 10 * round(seconds / 10));
    }
    if (seconds < 5400) {
        return g_strdup_printf("%.0f min", seconds / 60);
    }
    return g_strdup_printf("%.1f h", seconds / 3600);
}

char *app_estimate_format_bytes(double bytes)
{
    static const char *const UNITS[] = {"KiB", "MiB", "GiB", "TiB"};
    double value = bytes / 1024;
    size_t unit = 0;
    while (value >= 1000 && unit < G_N_ELEMENTS(UNITS) - 1) {
        value /= 1024;
        unit++;
    }
    return g_strdup_printf(value < 10 ? "%.1f %s" : "%.0f %s", value, UNITS[unit]);
}
