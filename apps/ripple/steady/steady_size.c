/* apps/ripple/steady/steady_size.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_steady. */
#include "steady/steady_size.h"

#include "experiment/series.h"
#include "experiment/work.h"
#include "output/progress.h"
#include "sched/convert.h"
#include "statistics/halves.h"
#include "steady/steady_series.h"

#include <math.h>

enum {
    STAGES = 20,            /* at most: each doubles the passes, or adds replicas */
    MOST_RUNS = 1000,       /* of a series */
    MOST_FREE = 1000,       /* passes that cost nothing; each takes room in every run */
    EXTENSIONS = 4,         /* of the number of replicas; the first adds most, later ones a few */
    FEWEST = 5,             /* runs with which there is an interval */
    MOST_SLICES = 20000000, /* of all runs of a series */
};
static const double LEAST_OPS = 1e5;  /* of a run, a hundredth of a second: short ones are free */
static const double FIRST_OPS = 2e8;  /* of all runs of the first stage, unless five have more */
static const double SPARE = 1.1;      /* a pass is shorter once it is warm, or at another size */
static const double LEAST_PASSES = 2; /* the first is run from a cold start */
static const double MOST_OPS = 2e9;   /* of a rank; they are numbered in 32 bits */
static const double PACE_SECONDS = 0.05; /* of runs that are timed */
static const double STALL_SECONDS = 0.5; /* a busy machine may stop a run for so long */
static const double SLOWER = 16;         /* with noise than without, at most: time has an end */

/* How the next stage runs. */
typedef struct stage {
    uint32_t passes;
    uint32_t first; /* replicas before are there already */
    uint32_t runs;  /* the last replica is runs - 1 */
} stage;

static uint32_t most_passes(const app_steady_size *size, const app_steady_pace *pace)
{
    const double by_ops = MOST_OPS * size->ranks / (double)size->pass_ops;
    const double by_time = (double)SIM_TIME_MAX / SLOWER / MAX(pace->pass, 1);
    return (uint32_t)CLAMP(MIN(by_ops, by_time), 1, SCHED_MAX_REPEAT);
}

double app_steady_seconds(const app_steady_size *size, const app_steady_pace *pace, double passes,
                          double runs)
{
    return app_steady_work(size, passes, runs) * pace->seconds;
}

double app_steady_work(const app_steady_size *size, double passes, double runs)
{
    return runs * app_work_of_run(size->ranks, (uint64_t)(passes * (double)size->pass_ops), false);
}

/* Was each pass of the runs of @p series from @p first on simulated? What others take is no pace.
 */
static bool is_all_simulated(const app_series *series, uint32_t first)
{
    bool all = true;
    for (uint32_t i = first; i < series->num_runs; i++) {
        all = all && series->runs[i].simulated_passes == 0;
    }
    return all;
}

/* @p s on top of what is there. @p known: there has been an ideal run as long. */
static app_results *run_some(app_steady_size *size, const stage *s, const app_series *known,
                             GError **error)
{
    app_noise noise = *size->experiment->noise;
    noise.cosched = noise.only_cosched = size->mode == APP_COSCHEDULED;
    noise.replicas = s->runs - s->first;
    app_experiment x = *size->experiment;
    x.noise = &noise;
    x.without_noise = size->mode == APP_IDEAL;
    x.sizes = &size->ranks;
    x.num_sizes = 1;
    x.keep_slices = true;
    x.no_breakdown = true;
    x.redraw = true;
    x.first_replica = s->first;
    x.ideal = known != NULL ? known->ideal : 0;
    app_source_set_repeat(x.source, s->passes);
    const uint32_t runs = (x.without_noise ? 0 : noise.replicas) + (known != NULL ? 0 : 1);
    const double planned = MIN(size->expected, app_steady_work(size, s->passes, runs));
    size->expected -= planned;
    x.planned = &planned;
    if (x.progress != NULL) {
        app_progress_expect(x.progress, runs, 0);
    }
    return app_experiment_run(&x, error);
}

static void move_series(app_series *to, app_series *from)
{
    app_series_clear(to);
    *to = *from;
    *from = (app_series){0};
}

/* The runs of @p more come after those of @p series. */
static void append_runs(app_series *series, app_series *more)
{
    series->runs = g_renew(app_run, series->runs, series->num_runs + more->num_runs);
    for (uint32_t i = 0; i < more->num_runs; i++) {
        series->runs[series->num_runs++] = more->runs[i];
        more->runs[i] = (app_run){0};
    }
}

static bool run_stage(app_steady_size *size, const stage *s, app_steady_pace *pace,
                      app_series *ideal, app_series *noisy, GError **error)
{
    const app_experiment *x = size->experiment;
    const bool extends = s->first > 0;
    const double began = app_steady_now();
    g_autoptr(app_results) results = run_some(size, s, extends ? ideal : NULL, error);
    if (results == NULL) {
        return false;
    }
    if (extends) {
        append_runs(noisy, &results->series[0]);
        app_series_summarize(noisy, x->noise, ideal->ideal, x->seed);
    } else {
        move_series(ideal, &results->series[0]);
        move_series(noisy, &results->series[1]);
    }
    const double took = app_steady_now() - began;
    const bool is_known = !extends && !is_all_simulated(ideal, 0);
    const double runs = s->runs - s->first + (extends || is_known ? 0 : 1);
    if (is_all_simulated(noisy, s->first)) {
        const double seconds = took / app_steady_work(size, s->passes, runs);
        pace->seconds = took > PACE_SECONDS ? seconds : MIN(pace->seconds, seconds); /* setup */
    }
    pace->pass = (double)ideal->ideal / s->passes;
    app_steady_evaluate(noisy, ideal, x->noise, size->half_width, x->seed);
    noisy->steady.decided =
        size->threshold > 0 && app_steady_verdict(noisy, size->threshold) != APP_UNDECIDED;
    return true;
}

bool app_steady_pace_measure(const app_experiment *experiment, uint32_t ranks,
                             app_steady_pace *pace, GError **error)
{
    app_experiment x = *experiment;
    x.no_symmetry = true;
    x.progress = NULL; /* which does not know yet what there is to do */
    x.quiet = true;
    app_steady_size size = {.experiment = &x, .ranks = ranks, .mode = APP_IDEAL};
    app_source_set_repeat(experiment->source, 1);
    if (!app_source_count(experiment->source, ranks, &size.pass_ops, error)) {
        return false;
    }
    size.pass_ops = MAX(size.pass_ops, 1);
    stage s = {.passes = 1, .runs = 1};
    bool again = false; /* it took long, perhaps because it was stopped: the shorter time counts */
    for (;;) {
        const double began = app_steady_now();
        g_autoptr(app_results) results = run_some(&size, &s, NULL, error);
        if (results == NULL) {
            return false;
        }
        const double took = app_steady_now() - began;
        const double seconds = took / (app_steady_work(&size, s.passes, 1) * x.threads);
        pace->seconds = again ? MIN(pace->seconds, seconds) : seconds;
        if (s.passes == 1) { /* how many there are depends on the clock, and plans must not */
            pace->pass = (double)results->series[0].ideal;
        }
        again = !again && took > PACE_SECONDS && took < STALL_SECONDS;
        if (again) {
            continue;
        }
        if (took > PACE_SECONDS || 2 * s.passes > most_passes(&size, pace)) {
            return true;
        }
        s.passes *= 2;
    }
}

/* The most that can be had of @p wanted in @p seconds: fewer replicas first, then fewer passes. */
static stage fit(const app_steady_size *size, const app_steady_pace *pace, stage wanted,
                 double seconds)
{
    wanted.passes = MIN(wanted.passes, most_passes(size, pace));
    if (app_steady_seconds(size, pace, wanted.passes, wanted.runs + 1.0) <= seconds) {
        return wanted;
    }
    const double runs = seconds / app_steady_seconds(size, pace, wanted.passes, 1) - 1;
    if (runs >= FEWEST) {
        wanted.runs = (uint32_t)runs;
        return wanted;
    }
    const uint32_t least = MIN(wanted.runs, (uint32_t)FEWEST);
    const double passes = seconds / app_steady_seconds(size, pace, 1, least + 1.0);
    if (passes >= 1) {
        return (stage){.passes = (uint32_t)passes, .runs = least};
    }
    const double few = seconds / app_steady_seconds(size, pace, 1, 1) - 1;
    return (stage){.passes = 1, .runs = (uint32_t)CLAMP(few, 1, least)};
}

/* To meet enough detours; and as many as cost nothing, so that what few passes cannot show, phases
 * that take many to lock, or what was drawn for computation, has come to an end. */
static uint32_t passes_to_meet(const app_steady_size *size, const app_steady_pace *pace,
                               double slowdown)
{
    const double free = MIN(LEAST_OPS / (double)size->pass_ops, MOST_FREE);
    const double passes = app_steady_passes(size->experiment->noise, size->mode, size->ranks,
                                            slowdown, size->half_width, pace->pass);
    return (uint32_t)MIN(MAX(MAX(SPARE * passes, free), LEAST_PASSES),
                         (double)most_passes(size, pace));
}

/* To be as narrow as @p width, @p cut passes of warm-up apart. */
static uint32_t passes_to_end(const app_steady_size *size, const app_steady_pace *pace,
                              double width, uint32_t cut)
{
    const double passes = cut + app_steady_passes_to_end(size->experiment->noise, size->mode,
                                                         size->ranks, width, pace->pass);
    return (uint32_t)MIN(passes, (double)most_passes(size, pace));
}

/* Co-scheduled, the slowdown is about that of a rank that never waits; else often far above. */
uint32_t app_steady_planned_passes(const app_steady_size *size, const app_steady_pace *pace)
{
    const double guess = app_steady_reference(size->experiment->noise, size->mode, size->ranks);
    const uint32_t to_meet = passes_to_meet(size, pace, guess);
    return size->mode == APP_COSCHEDULED
               ? MAX(to_meet, passes_to_end(size, pace, size->half_width * guess, 0))
               : to_meet;
}

static stage first_stage(const app_steady_size *size, const app_steady_pace *pace, double seconds)
{
    const uint32_t asked = size->experiment->noise->replicas;
    stage s = {.passes = app_steady_planned_passes(size, pace)};
    /* By operations, not by time: what is begun with is the same on any machine. */
    const double cheap = FIRST_OPS / ((double)size->pass_ops * s.passes);
    s.runs = MIN(asked, (uint32_t)CLAMP(cheap, FEWEST, MOST_RUNS));
    return fit(size, pace, s, seconds);
}

double app_steady_planned_work(const app_steady_size *size, const app_steady_pace *pace,
                               double seconds)
{
    stage s = first_stage(size, pace, seconds);
    const app_noise *noise = size->experiment->noise;
    const double met = app_steady_met(noise, size->mode, size->ranks,
                                      app_steady_reference(noise, size->mode, size->ranks),
                                      size->half_width, s.passes * pace->pass);
    /* N detours at random let replicas differ by 1 / sqrt(N); two standard errors are the width. */
    const double wanted = 4 / (size->half_width * size->half_width * met);
    if (s.runs >= FEWEST) { /* else there will be no interval to make narrower */
        s.runs = (uint32_t)CLAMP(wanted, s.runs, MOST_RUNS);
    }
    s = fit(size, pace, s, seconds);
    return app_steady_work(size, s.passes, s.runs + 1.0);
}

/* The ends of all slices of all runs are kept, in 8 bytes each. */
static uint32_t most_runs(const app_series *noisy)
{
    return CLAMP(MOST_SLICES / MAX(noisy->num_slices, 1), FEWEST, MOST_RUNS);
}

/* What to do about the state of @p noisy. @return false: nothing, it is as good as can be */
static bool next_stage(const app_steady_size *size, const app_steady_pace *pace,
                       const app_series *noisy, unsigned *extensions, stage *s)
{
    const uint32_t longer = MIN(2 * s->passes, most_passes(size, pace));
    switch (noisy->steady.state) {
    case APP_STEADY_TOO_SHORT:
        s->passes = passes_to_meet(size, pace, noisy->slowdown.mean);
        s->first = 0;
        return s->passes > noisy->passes;
    case APP_STEADY_DRIFTS:
        s->passes = longer;
        s->first = 0;
        return s->passes > noisy->passes;
    case APP_STEADY_WIDE: {
        if (noisy->steady.decided) {
            return false;
        }
        const double wanted = app_steady_width(&noisy->slowdown, size->half_width);
        const uint32_t cut = noisy->steady.cut / MAX(noisy->num_slices / s->passes, 1);
        const double off = app_halves_off_by(noisy->steady.drift, noisy->steady.drift_error);
        const uint32_t to_end = passes_to_end(size, pace, wanted, cut);
        const uint32_t passes = fabs(off) > wanted / 2 ? MAX(longer, to_end) : to_end;
        if (passes > noisy->passes) {
            s->passes = passes;
            s->first = 0;
            return true;
        }
        const bool is_narrow =
            noisy->slowdown.half_width <= wanted; /* but its halves differ much */
        const size_t runs = is_narrow ? 2 * (size_t)noisy->num_runs
                                      : app_mean_needed(&noisy->slowdown, noisy->num_runs, wanted);
        s->first = noisy->num_runs;
        s->runs = (uint32_t)MIN(MAX(runs, noisy->num_runs + 1), most_runs(noisy));
        return (*extensions)++ < EXTENSIONS && s->runs > s->first;
    }
    case APP_STEADY_REACHED:
    case APP_STEADY_FEW:
        break;
    }
    return false;
}

/* Is there time for it? Fewer more replicas than wanted are better than none. */
static bool is_affordable(const app_steady_size *size, const app_steady_pace *pace, double seconds,
                          stage *s)
{
    if (s->first == 0) {
        return app_steady_seconds(size, pace, s->passes, s->runs + 1.0) <= seconds;
    }
    const double more = seconds / app_steady_seconds(size, pace, s->passes, 1);
    s->runs = (uint32_t)MIN((double)s->runs, s->first + more);
    return s->runs > s->first;
}

bool app_steady_settle(app_steady_size *size, double seconds, app_steady_pace *pace,
                       app_series *ideal, app_series *noisy, GError **error)
{
    const double end = app_steady_now() + seconds;
    stage s = first_stage(size, pace, seconds);
    unsigned extensions = 0;
    for (int i = 0; i < STAGES; i++) {
        if (!run_stage(size, &s, pace, ideal, noisy, error)) {
            return false;
        }
        if (!next_stage(size, pace, noisy, &extensions, &s) ||
            !is_affordable(size, pace, end - app_steady_now(), &s)) {
            break;
        }
    }
    return true;
}

bool app_steady_check_is_long(const app_steady_size *size, double lasts)
{
    const app_noise *noise = size->experiment->noise;
    const double reference = app_steady_reference(noise, APP_COSCHEDULED, size->ranks);
    return app_steady_met(noise, APP_COSCHEDULED, size->ranks, reference, size->half_width,
                          lasts) >= APP_STEADY_MET;
}

bool app_steady_check(app_steady_size *size, const app_series *ideal, app_series *noisy,
                      GError **error)
{
    const app_experiment *x = size->experiment;
    const stage s = {.passes = ideal->passes, .runs = 1};
    g_autoptr(app_results) results = run_some(size, &s, ideal, error);
    if (results == NULL) {
        return false;
    }
    move_series(noisy, &results->series[0]);
    app_steady_evaluate(noisy, ideal, x->noise, size->half_width, x->seed);
    noisy->steady.check = true;
    return true;
}
