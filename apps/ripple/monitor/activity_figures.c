/* apps/ripple/monitor/activity_figures.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_monitor_report. */
#include "monitor/activity_figures.h"

#include "report/bars.h"
#include "report/curves.h"
#include "report/heat_map.h"

#include <math.h>

enum { MOST_BINS = 48, MOST_CPUS = 64, MOST_PROGRAMS = 5 };

/* CPU time of pieces, in bins of equal length: [program][cpu][bin], ns. */
typedef struct sums {
    size_t num_cpus;
    size_t num_programs;   /* those shown, and one for all others */
    const uint32_t *order; /* [num_programs - 1] */
    size_t num_bins;
    double bin_ns; /* 1, 2 or 5 times a power of ten */
    double all_ns; /* the last bin ends here */
    double *time;
} sums;

static double *sum_at(const sums *s, size_t program, size_t cpu, size_t bin)
{
    return &s->time[(program * s->num_cpus + cpu) * s->num_bins + bin];
}

static void add_piece(const sums *s, size_t program, size_t cpu, double begin, double end)
{
    for (size_t bin = (size_t)(begin / s->bin_ns);
         bin < s->num_bins && (double)bin * s->bin_ns < end; bin++) {
        const double from = fmax(begin, (double)bin * s->bin_ns);
        const double to = fmin(end, (double)(bin + 1) * s->bin_ns);
        *sum_at(s, program, cpu, bin) += fmax(to - from, 0);
    }
}

/* The share of a CPU in a bin, in per cent; the last may be shorter. */
static double share_at(const sums *s, size_t program, size_t cpu, size_t bin)
{
    const double length = fmin(s->bin_ns, s->all_ns - (double)bin * s->bin_ns);
    return 100 * *sum_at(s, program, cpu, bin) / length;
}

/* So that at most MOST_BINS reach to the end, and axes have round numbers. */
static void choose_bins(sums *s)
{
    const double least = s->all_ns / MOST_BINS;
    const double power = pow(10, floor(log10(least)));
    s->bin_ns = least <= power       ? power
                : least <= 2 * power ? 2 * power
                : least <= 5 * power ? 5 * power
                                     : 10 * power;
    s->num_bins = MAX((size_t)ceil(s->all_ns / s->bin_ns * (1 - 1e-12)), 1);
}

static uint32_t program_of(const noise_activity_trace *t, const noise_piece *p)
{
    return t->program_of[t->activity->row_of[t->activity->nit->activities[p->activity].thread]];
}

/* The programs with most CPU time on these CPUs, most first; at most MOST_PROGRAMS, none without.
 */
static uint32_t *find_order(const noise_activity_trace *t, size_t num_cpus, size_t *num_shown)
{
    g_autofree double *time = g_new0(double, t->num_programs + 1);
    for (size_t i = 0; i < t->timeline->first[num_cpus]; i++) {
        const noise_piece *p = &t->timeline->piece[i];
        time[program_of(t, p)] += (double)(p->end - p->begin);
    }
    uint32_t *order = g_new0(uint32_t, MOST_PROGRAMS + 1);
    for (*num_shown = 0; *num_shown < MOST_PROGRAMS; ++*num_shown) {
        uint32_t best = 0;
        for (uint32_t p = 1; p < t->num_programs; p++) {
            best = time[p] > time[best] ? p : best;
        }
        if (time[best] <= 0) {
            break;
        }
        order[*num_shown] = best;
        time[best] = 0;
    }
    return order;
}

static sums sums_new(const noise_activity_trace *t, const uint32_t *order, size_t num_shown)
{
    sums s = {.num_cpus = MIN(t->timeline->num_cpus, MOST_CPUS), .order = order};
    s.num_programs = num_shown + 1;
    s.all_ns = (double)t->duration;
    choose_bins(&s);
    s.time = g_new0(double, s.num_programs *s.num_cpus *s.num_bins + 1);
    for (size_t c = 0; c < s.num_cpus; c++) {
        for (size_t i = t->timeline->first[c]; i < t->timeline->first[c + 1]; i++) {
            const noise_piece *p = &t->timeline->piece[i];
            size_t k = 0;
            while (k + 1 < s.num_programs && order[k] != program_of(t, p)) {
                k++;
            }
            const double begin = p->begin > t->origin ? (double)(p->begin - t->origin) : 0;
            add_piece(&s, k, c, begin, fmin((double)(p->end - t->origin), (double)t->duration));
        }
    }
    return s;
}

static app_chart *draw_map(const sums *s)
{
    g_autofree double *xs = g_new(double, s->num_bins);
    g_autofree double *ys = g_new(double, s->num_cpus);
    g_autofree double *zs = g_new0(double, s->num_cpus * s->num_bins);
    for (size_t b = 0; b < s->num_bins; b++) {
        xs[b] = (double)b * s->bin_ns;
    }
    for (size_t c = 0; c < s->num_cpus; c++) {
        ys[c] = (double)c;
        for (size_t i = 0; i < s->num_programs * s->num_bins; i++) {
            const size_t bin = i % s->num_bins;
            zs[c * s->num_bins + bin] += share_at(s, i / s->num_bins, c, bin);
        }
    }
    const app_heat_map map = {
        .name = "cpus-over-time",
        .title = "Share of each CPU that others than the ranks had",
        .caption = "CPUs of all nodes in their order, counted from 0; each field from its time to "
                   "the next.",
        .x = {"time", APP_UNIT_TIME, APP_SCALE_LINEAR},
        .y = {"CPU", APP_UNIT_NONE, APP_SCALE_LINEAR},
        .z = {"share of the CPU", APP_UNIT_PERCENT, APP_SCALE_AUTO},
        .xs = xs,
        .num_x = s->num_bins,
        .ys = ys,
        .num_y = s->num_cpus,
        .zs = zs,
    };
    return app_heat_map_new(&map);
}

static app_chart *draw_curves(const noise_activity_trace *t, const sums *s)
{
    const size_t n = s->num_programs - 1;
    g_autofree app_curve_point *points = g_new0(app_curve_point, n * s->num_bins + 1);
    g_autofree app_curve *curves = g_new0(app_curve, n + 1);
    for (size_t i = 0; i < n * s->num_bins; i++) {
        const size_t bin = i % s->num_bins;
        double share = 0;
        for (size_t c = 0; c < s->num_cpus; c++) {
            share += share_at(s, i / s->num_bins, c, bin);
        }
        points[i] = (app_curve_point){
            .x = ((double)bin + 0.5) * s->bin_ns, .y = share, .low = share, .high = share};
    }
    for (size_t p = 0; p < n; p++) {
        curves[p] =
            (app_curve){t->programs[s->order[p]].name, &points[p * s->num_bins], s->num_bins};
    }
    const app_curves figure = {
        .name = "programs-over-time",
        .title = "Programs beside the ranks, over time",
        .caption = "CPU time of each program on all CPUs; 100 % is one CPU.",
        .x = {"time", APP_UNIT_TIME, APP_SCALE_LINEAR},
        .y = {"CPU time", APP_UNIT_PERCENT, APP_SCALE_LINEAR},
        .series_name = "program",
        .curves = curves,
        .num_curves = n,
    };
    return app_curves_new(&figure);
}

static app_chart *draw_bars(const noise_activity_trace *t, const sums *s)
{
    const size_t shown = MIN(s->num_cpus, 16); /* more bars would not be told apart */
    g_autofree double *parts = g_new0(double, shown * s->num_programs + 1);
    g_autofree app_bar *bars = g_new0(app_bar, shown + 1);
    g_autofree app_bar_group *groups = g_new0(app_bar_group, shown + 1);
    g_autoptr(GPtrArray) labels = g_ptr_array_new_with_free_func(g_free);
    g_autofree const char **names = g_new0(const char *, s->num_programs + 1);
    for (size_t p = 0; p < s->num_programs; p++) {
        names[p] = p + 1 < s->num_programs ? t->programs[s->order[p]].name : "all others";
    }
    for (size_t c = 0; c < shown; c++) {
        char *label = g_strdup_printf("%zu", c);
        g_ptr_array_add(labels, label);
        groups[c] = (app_bar_group){label, label};
        for (size_t p = 0; p < s->num_programs; p++) {
            for (size_t b = 0; b < s->num_bins; b++) {
                parts[c * s->num_programs + p] += 100 * *sum_at(s, p, c, b) / s->all_ns;
            }
        }
        bars[c] = (app_bar){c, 0, &parts[c * s->num_programs]};
    }
    static const app_bar_series ONE = {"watched", 'w'};
    const app_bars figure = {
        .name = "shares-of-cpus",
        .title = "Who had each CPU beside the ranks",
        .caption = "Mean share over the whole watch; CPUs of all nodes in their order, from 0, at "
                   "most 16.",
        .group_name = "CPU",
        .series_name = "run",
        .y = {"share of the CPU", APP_UNIT_PERCENT, APP_SCALE_LINEAR},
        .groups = groups,
        .num_groups = shown,
        .series = &ONE,
        .num_series = 1,
        .parts = names,
        .num_parts = s->num_programs,
        .bars = bars,
        .num_bars = shown,
    };
    return app_bars_new(&figure);
}

GPtrArray *app_activity_figures_new(const noise_activity_trace *t)
{
    GPtrArray *figures = g_ptr_array_new_with_free_func((GDestroyNotify)app_chart_free);
    const size_t num_cpus = MIN(t->timeline->num_cpus, MOST_CPUS);
    if (t->duration == 0 || num_cpus == 0 || t->timeline->first[num_cpus] == 0) {
        return figures;
    }
    size_t num_shown = 0;
    g_autofree uint32_t *order = find_order(t, num_cpus, &num_shown);
    const sums s = sums_new(t, order, num_shown);
    g_ptr_array_add(figures, draw_map(&s));
    g_ptr_array_add(figures, draw_curves(t, &s));
    g_ptr_array_add(figures, draw_bars(t, &s));
    g_free(s.time);
    return figures;
}
