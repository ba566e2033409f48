/* apps/ripple/findings/experiment_figures.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_experiment_report. */
#include "findings/experiment_figures.h"

#include "analysis/breakdown.h"
#include "findings/remark.h"
#include "report/bars.h"
#include "report/box_plot.h"
#include "report/curves.h"
#include "sim/unit.h"
#include "statistics/statistics_box.h"

/* With the conditions under which it holds. Owned by the caller. */
static char *caption_of(const app_findings *f, const char *what)
{
    g_autofree char *conditions = app_conditions_caption(f->conditions);
    return g_strconcat(what, conditions, NULL);
}

/*
 * The series of that mode as points over ranks; of those that say anything.
 * @param kept owns the remarks  @return how many
 */
static size_t points_of(const app_findings *f, app_mode mode, app_curve_point *points,
                        GPtrArray *kept)
{
    const app_results *results = f->results;
    const bool invalid = app_conditions_find(f->conditions, "invalid-measurement") != NULL;
    size_t n = 0;
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        if (s->mode == mode && app_series_claim(s) != APP_CLAIM_NONE) {
            char *remark = app_series_remarks(s);
            g_ptr_array_add(kept, remark);
            points[n++] = (app_curve_point){
                .x = s->ranks,
                .y = 100 * s->slowdown.mean,
                .low = 100 * s->slowdown.low,
                .high = 100 * s->slowdown.high,
                .hollow = invalid || app_series_claim(s) == APP_CLAIM_ONE ||
                          app_series_has(s, APP_REMARK_DRIFTS),
                .remark = remark,
            };
        }
    }
    return n;
}

/* "Without a point, as too few detours were met: unsynchronized 16, 64." Owned by the caller. */
static char *absent_of(const app_findings *f)
{
    GString *text = g_string_new(NULL);
    for (int mode = APP_UNSYNCHRONIZED; mode < APP_NUM_MODES; mode++) {
        const char *separator = " ";
        for (size_t i = 0; i < f->results->num_series; i++) {
            const app_series *s = &f->results->series[i];
            if ((int)s->mode == mode && app_series_claim(s) == APP_CLAIM_NONE) {
                g_autofree char *ranks = sim_unit_format_count(s->ranks);
                if (separator[0] == ' ') {
                    g_string_append_printf(text, "%s %s", text->len > 0 ? ";" : "",
                                           app_mode_name(s->mode));
                }
                g_string_append_printf(text, "%s%s", separator, ranks);
                separator = ", ";
            }
        }
    }
    if (text->len > 0) {
        g_string_prepend(text, " Without a point, as too few detours were met:");
        g_string_append(text, " ranks.");
    }
    return g_string_free(text, FALSE);
}

bool app_figures_flat(const app_findings *f)
{
    for (size_t i = 0; i < f->results->num_series; i++) {
        const app_series *s = &f->results->series[i];
        for (uint32_t r = 0; s->mode != APP_IDEAL && r < s->num_runs; r++) {
            if (s->runs[r].makespan != s->ideal) {
                return false;
            }
        }
    }
    return f->results->noisy;
}

app_chart *app_figure_slowdown(const app_findings *f)
{
    const app_results *results = f->results;
    if (!results->noisy) {
        return NULL;
    }
    app_curve curves[APP_NUM_MODES];
    app_curve_point *points[APP_NUM_MODES];
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_free);
    size_t n = 0;
    for (int mode = APP_UNSYNCHRONIZED; mode < APP_NUM_MODES; mode++) {
        points[n] = g_new(app_curve_point, results->num_series);
        const size_t num = points_of(f, (app_mode)mode, points[n], kept);
        curves[n] = (app_curve){app_mode_name((app_mode)mode), points[n], num};
        if (num > 0) {
            n++;
        } else {
            g_free(points[n]);
        }
    }
    if (n == 0) {
        return NULL;
    }
    g_autofree char *absent = absent_of(f);
    g_autofree char *what =
        g_strconcat("How much longer the program takes under noise than without: mean of the "
                    "replicas and, as a band or bar, its 95 % interval, or the range where there "
                    "are fewer than five.",
                    absent, NULL);
    g_autofree char *caption = caption_of(f, what);
    const app_curves figure = {
        .name = "slowdown",
        .title = "Slowdown over ranks",
        .caption = caption,
        .x = {"ranks", APP_UNIT_COUNT, APP_SCALE_AUTO},
        .y = {"slowdown", APP_UNIT_PERCENT, APP_SCALE_AUTO},
        .series_name = "noise",
        .band_name = "95 % interval, or range",
        .hollow_name = "one replica, not settled, not valid",
        .curves = curves,
        .num_curves = n,
    };
    app_chart *chart = app_curves_new(&figure);
    while (n > 0) {
        g_free(points[--n]);
    }
    return chart;
}

static double in_ns(sim_time t)
{
    return (double)t / (double)SIM_NS;
}

/* What a time of @p s is divided by: in the long run, sizes and modes differ in passes. */
static uint32_t passes_of(const app_series *s, app_quantity quantity)
{
    return quantity == APP_STEADY ? MAX(s->passes, 1) : 1;
}

static app_box_sample sample_of(const app_series *s, size_t group, GPtrArray *kept)
{
    g_autofree sim_time *times = g_new(sim_time, s->num_runs);
    for (uint32_t r = 0; r < s->num_runs; r++) {
        times[r] = s->runs[r].makespan / passes_of(s, s->quantity);
    }
    const app_statistics t = app_statistics_of(times, s->num_runs, APP_MEAN_LEVEL);
    app_box_sample box = app_statistics_box(&t, times, s->num_runs, kept);
    box.group = group;
    box.series = (size_t)s->mode - APP_UNSYNCHRONIZED;
    return box;
}

app_chart *app_figure_replicas(const app_findings *f)
{
    const app_results *results = f->results;
    if (!results->noisy) {
        return NULL;
    }
    const char *const modes[] = {app_mode_name(APP_UNSYNCHRONIZED), app_mode_name(APP_COSCHEDULED)};
    g_autofree app_box_group *groups = g_new(app_box_group, results->num_series);
    g_autofree app_box_sample *samples = g_new(app_box_sample, results->num_series);
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_free);
    const app_quantity quantity = app_results_quantity(results);
    const bool steady = quantity == APP_STEADY;
    size_t num_groups = 0;
    size_t num_samples = 0;
    bool cosched = false;
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        if (s->mode == APP_IDEAL) {
            char *label = sim_unit_format_count(s->ranks);
            char *number = g_strdup_printf("%u", s->ranks);
            g_ptr_array_add(kept, label);
            g_ptr_array_add(kept, number);
            groups[num_groups++] =
                (app_box_group){label, in_ns(s->ideal / passes_of(s, quantity)), number};
        } else {
            samples[num_samples++] = sample_of(s, num_groups - 1, kept);
            cosched = cosched || s->mode == APP_COSCHEDULED;
        }
    }
    g_autofree char *caption = caption_of(
        f, "Each replica draws other offsets into the noise. Boxes hold the middle half, "
           "whiskers reach to 1.5 times the box, circles are outliers.");
    const app_box_plot figure = {
        .name = "replicas",
        .title = steady ? "How long a pass takes in each replica" : "Makespans of the replicas",
        .caption = caption,
        .group_name = "ranks",
        .series_name = "noise",
        .y = {steady ? "a pass" : "makespan", APP_UNIT_TIME, APP_SCALE_AUTO},
        .reference_name = "no noise",
        .groups = groups,
        .num_groups = num_groups,
        .series = modes,
        .num_series = cosched ? 2 : 1,
        .samples = samples,
        .num_samples = num_samples,
    };
    return app_box_plot_new(&figure);
}

/* ns on the critical path; in the long run, of a pass, since sizes and modes differ in passes. */
static double part_in_ns(const app_series *s, size_t part, app_quantity quantity)
{
    const double all = in_ns(app_breakdown_part(&s->breakdown, part));
    const double pass = (double)s->times.mean / passes_of(s, quantity);
    return quantity == APP_STEADY ? all * pass / (double)MAX(s->breakdown_makespan, 1) : all;
}

static const app_bar_series MODES[APP_NUM_MODES] = {
    [APP_IDEAL] = {"ideal", 'i'},
    [APP_UNSYNCHRONIZED] = {"unsynchronized", 'u'},
    [APP_COSCHEDULED] = {"co-scheduled", 'c'},
};

/* The bars while they are collected: a size that has none is no group. */
typedef struct bars {
    app_bar_group *groups;
    size_t num_groups;
    app_bar *bars;
    size_t n;
    size_t num_series; /* the modes up to the last one that is there */
    double *parts;     /* [n][num_parts] */
} bars;

static void collect_bars(bars *b, const app_results *results, size_t num_parts, GPtrArray *kept)
{
    uint32_t ranks = 0; /* of the last group; series are in order of their sizes */
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        if (!s->has_breakdown) {
            continue;
        }
        if (b->num_groups == 0 || s->ranks != ranks) {
            char *label = sim_unit_format_count(s->ranks);
            char *number = g_strdup_printf("%u", s->ranks);
            ranks = s->ranks;
            g_ptr_array_add(kept, label);
            g_ptr_array_add(kept, number);
            b->groups[b->num_groups++] = (app_bar_group){label, number};
        }
        double *parts = b->parts + b->n * num_parts;
        for (size_t part = 0; part < num_parts; part++) {
            parts[part] = part_in_ns(s, part, app_results_quantity(results));
        }
        b->num_series = MAX(b->num_series, (size_t)s->mode + 1);
        b->bars[b->n++] = (app_bar){b->num_groups - 1, (size_t)s->mode, parts};
    }
}

/* Which of the sizes and modes simulated have no bar. Owned by the caller. */
static char *without_bar(const app_results *results)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        if (!s->has_breakdown) {
            g_autofree char *ranks = sim_unit_format_count(s->ranks);
            g_string_append_printf(text, "%s%s %s",
                                   text->len > 0 ? ", " : " Without a bar: ", ranks,
                                   app_mode_name(s->mode));
        }
    }
    return g_string_free(text->len > 0 ? g_string_append_c(text, '.') : text, FALSE);
}

app_chart *app_figure_where(const app_findings *f)
{
    const app_results *results = f->results;
    const bool steady = app_results_quantity(results) == APP_STEADY;
    const size_t num_parts = app_results_num_parts(results);
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_free);
    g_autofree app_bar_group *groups = g_new(app_bar_group, results->num_series);
    g_autofree app_bar *all = g_new(app_bar, results->num_series);
    g_autofree double *values = g_new(double, results->num_series *num_parts);
    bars b = {.groups = groups, .bars = all, .parts = values};
    collect_bars(&b, results, num_parts, kept);
    if (b.n == 0) {
        return NULL;
    }
    const char *parts[APP_NUM_PARTS];
    for (size_t part = 0; part < num_parts; part++) {
        parts[part] = app_parts[part].column;
    }
    g_autofree char *absent = without_bar(results);
    g_autofree char *what = g_strconcat(
        steady ? "A pass, as one run" : "The makespan, as replica 0",
        " spends it along its critical path: an example.",
        results->noisy ? " 'waiting' is for noise that struck another rank, 'noise' "
                         "that of the last rank itself."
                       : "",
        num_parts == APP_NUM_PARTS ? " 'in nodes' is all of messages within a node, the "
                                     "other parts of messages are the network's."
                                   : "",
        absent, NULL);
    g_autofree char *caption = caption_of(f, what);
    const app_bars figure = {
        .name = "where",
        .title = "Where the time goes",
        .caption = caption,
        .group_name = "ranks",
        .series_name = "noise",
        .y = {steady ? "a pass, on the critical path" : "time on the critical path", APP_UNIT_TIME,
              APP_SCALE_LINEAR},
        .groups = groups,
        .num_groups = b.num_groups,
        .series = MODES,
        .num_series = b.num_series,
        .parts = parts,
        .num_parts = num_parts,
        .bars = all,
        .num_bars = b.n,
    };
    return app_bars_new(&figure);
}
