/* bench/sc10/fixed_noise.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* E3 to E6: noise of a fixed frequency, as earlier publications injected it. */
#include "experiments.h"
#include "output/number_text.h"
#include "statistic.h"

#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

static const int HERTZ[] = {1000, 100, 10};
static const char *const FREQUENCIES[] = {"1 kHz", "100 Hz", "10 Hz"};
static const int LENGTH_US[] = {16, 50, 100, 200};
enum { BECKMAN_RANKS = 32768 };

static double noisy(const sc10_times *times, double time)
{
    return time / times->ideal;
}

static const sc10_times *beckman(sc10_lab *lab, int hertz, int length_us, bool cosched,
                                 uint32_t ranks)
{
    g_autofree char *noise = g_strdup_printf("fixed:%dHz:%dus", hertz, length_us);
    const sc10_case what = {
        .collective = "allreduce", .machine = "cnl", .noise = noise, .cosched = cosched};
    return sc10_lab_times(lab, &what, ranks);
}

/* The line through the median over log2 of the ranks. */
typedef struct line {
    double slope;
    double r2;
} line;

static line line_through(const sc10_times *const *t, size_t n, bool added)
{
    double x[32];
    double y[32];
    for (size_t i = 0; i < n; i++) {
        x[i] = log2((double)t[i]->ranks);
        y[i] = sc10_median(t[i]) - (added ? t[i]->ideal : 0);
    }
    line l;
    double start = 0;
    double c00 = 0;
    double c01 = 0;
    double c11 = 0;
    double squares = 0;
    gsl_fit_linear(x, 1, y, 1, n, &start, &l.slope, &c00, &c01, &c11, &squares);
    l.r2 = 1 - squares / gsl_stats_tss(y, 1, n);
    return l;
}

static double r2_of_added(const sc10_times *const *t, size_t n)
{
    return line_through(t, n, true).r2;
}

static double slope_of_added(const sc10_times *const *t, size_t n)
{
    return line_through(t, n, true).slope;
}

static double r2_of_median(const sc10_times *const *t, size_t n)
{
    return line_through(t, n, false).r2;
}

static double median_over_ideal(const sc10_times *const *t, size_t n)
{
    (void)n;
    return noisy(t[0], sc10_median(t[0]));
}

static void check_coscheduled(sc10_lab *lab, uint32_t ranks, sc10_table *table)
{
    const sc10_times *t = beckman(lab, 100, 100, true, ranks);
    sc10_check_estimate(table, "E3", "co-scheduled 100 Hz, 100 us: median / base", "",
                        sc10_bootstrap(&t, 1, SC10_ALL, median_over_ideal), 1, 1.01, "x");
    size_t hit = 0;
    for (size_t i = 0; i < t->n; i++) {
        hit += t->replica[i] > t->ideal;
    }
    const double expected = 100 * 1e-6 * (100 + t->ideal); /* f (D + w) */
    const double sigma = sqrt(expected * (1 - expected) / (double)t->n);
    sc10_check_between(table, "E3", "co-scheduled 100 Hz, 100 us: share of runs delayed, f (D + w)",
                       "", (double)hit / (double)t->n, fmax(expected - 3 * sigma, 0),
                       expected + 3 * sigma, "");
}

static void check_straight(sc10_lab *lab, uint32_t ranks, sc10_table *table)
{
    const sc10_case what = {
        .collective = "allreduce", .machine = "cnl", .noise = "fixed:1000Hz:200us"};
    size_t n = 0;
    g_autofree const sc10_times **t = sc10_lab_by_size(lab, &what, 32, ranks, &n);
    sc10_check_estimate(table, "E3", "noise of 1 kHz, 200 us: R2 of added latency over log2 P",
                        "log P", sc10_bootstrap(t, n, SC10_ALL, r2_of_added), 0.99, 1, "");
    sc10_note(table, "E3", "noise of 1 kHz, 200 us: latency added per doubling", "", "%.4g us",
              slope_of_added(t, n));
}

void sc10_beckman(sc10_lab *lab, sc10_table *table)
{
    const uint32_t ranks = MIN(BECKMAN_RANKS, sc10_lab_max_ranks(lab));
    g_autofree char *size = app_format_ranks(ranks);
    for (size_t f = 0; f < G_N_ELEMENTS(HERTZ); f++) {
        for (size_t d = 0; d < G_N_ELEMENTS(LENGTH_US); d++) {
            const sc10_times *t = beckman(lab, HERTZ[f], LENGTH_US[d], false, ranks);
            g_autofree char *what = g_strdup_printf("noise of %s, %d us at %s: noisy / base",
                                                    FREQUENCIES[f], LENGTH_US[d], size);
            sc10_note(table, "E3", what, "", "%.3g, max %.3g", noisy(t, sc10_median(t)),
                      noisy(t, sc10_max(t)));
        }
    }
    const sc10_times *largest = beckman(lab, 1000, 200, false, ranks);
    sc10_check_between(table, "E3", "noise of 1 kHz, 200 us: largest noisy / base",
                       "13 (measured: 18)", noisy(largest, sc10_max(largest)), 11.5, 14.5, "x");
    const sc10_times *half = beckman(lab, 1000, 100, false, ranks);
    const sc10_times *const both[] = {largest, half};
    sc10_check_estimate(table, "E3", "linear in the length: added by 200 us / added by 100 us",
                        "linear", sc10_bootstrap(both, 2, SC10_ALL, sc10_ratio_of_slowdowns), 1.8,
                        2.8, "x");
    check_straight(lab, ranks, table);
    const sc10_times *small = beckman(lab, 1000, 16, false, ranks);
    sc10_check_between(table, "E3", "noise of 1 kHz, 16 us: largest noisy / base", "insignificant",
                       noisy(small, sc10_max(small)), 1, 1.6, "x");
    check_coscheduled(lab, ranks, table);
}

/* ---- E4 ---- */

static double box(const sc10_times *t)
{
    return (sc10_quantile(t, 0.75) - sc10_quantile(t, 0.25)) / sc10_median(t);
}

/* How much less wide the first is than the second. */
static double box_ratio(const sc10_times *const *t, size_t n)
{
    (void)n;
    return box(t[0]) / box(t[1]);
}

void sc10_extreme_noise(sc10_lab *lab, sc10_table *table)
{
    const uint32_t last = sc10_lab_max_ranks(lab);
    unsigned above = 0;
    for (uint64_t ranks = 2; 16 * ranks <= last; ranks *= 2) {
        const sc10_times *few = beckman(lab, 1000, 100, false, (uint32_t)ranks);
        const sc10_times *many = beckman(lab, 1000, 100, false, (uint32_t)ranks * 16);
        above += sc10_max(few) > sc10_median(many);
    }
    sc10_check_that(table, "E4", "outliers at P do not pass the median at 16 P", "Figure 5a",
                    above == 0, "%u sizes where they do", above);
    const sc10_times *few = beckman(lab, 1000, 100, false, 16);
    const sc10_times *many = beckman(lab, 1000, 100, false, last);
    const sc10_times *const both[] = {few, many};
    sc10_check_estimate(table, "E4", "box / median shrinks from 16 ranks on: factor", "Figure 5a",
                        sc10_bootstrap(both, 2, SC10_ALL, box_ratio), 4, INFINITY, "x");
    sc10_note(table, "E4", "box / median at 16 ranks and at the largest size", "", "%.2f, %.3f",
              box(few), box(many));
    const sc10_times *least = beckman(lab, 1000, 100, false, 4);
    sc10_check_estimate(table, "E4", "at 4 ranks: median / base", "1",
                        sc10_bootstrap(&least, 1, SC10_ALL, median_over_ideal), 1, 1.01, "x");
    sc10_note(table, "E4", "median at 1Ki ranks and at the largest size", "", "%.4g, %.4g us",
              sc10_median(beckman(lab, 1000, 100, false, MIN(1024, last))), sc10_median(many));
}

/* ---- E5 ---- */

static double added(const sc10_times *t)
{
    return sc10_median(t) - t->ideal;
}

static void check_logarithmic(sc10_lab *lab, const sc10_case *what, sc10_table *table)
{
    size_t n = 0;
    g_autofree const sc10_times **t = sc10_lab_by_size(lab, what, 64, sc10_lab_max_ranks(lab), &n);
    g_autofree char *text = g_strdup_printf("%s: R2 of median over log2 P", what->collective);
    sc10_check_estimate(table, "E5", text, "log P", sc10_bootstrap(t, n, SC10_ALL, r2_of_median),
                        0.95, 1, "");
}

void sc10_rooted(sc10_lab *lab, sc10_table *table)
{
    static const char *const ROOTED[] = {"bcast", "reduce"};
    const sc10_case all = {
        .collective = "allreduce", .machine = "cnl", .noise = "fixed:1000Hz:100us"};
    size_t n = 0;
    g_autofree uint32_t *sizes = sc10_lab_sizes(lab, &n);
    for (size_t k = 0; k < G_N_ELEMENTS(ROOTED); k++) {
        sc10_case rooted = all;
        rooted.collective = ROOTED[k];
        unsigned more = 0;
        for (size_t i = 0; i < n; i++) {
            more += added(sc10_lab_times(lab, &rooted, sizes[i])) >
                    added(sc10_lab_times(lab, &all, sizes[i]));
        }
        g_autofree char *what =
            g_strdup_printf("%s suffers no more than allreduce, at every size", ROOTED[k]);
        sc10_check_that(table, "E5", what, "less affected", more == 0, "more at %u of %zu sizes",
                        more, n);
        check_logarithmic(lab, &rooted, table);
    }
    check_logarithmic(lab, &all, table);
}

/* ---- E6 ---- */

/* Half of the series are allreduces, then come broadcasts of the same sizes. */
static double worst_ratio(const sc10_times *const *t, size_t n)
{
    double worst = 0;
    for (size_t i = 0; i < n / 2; i++) {
        worst = fmax(worst, median_over_ideal(&t[n / 2 + i], 1) / median_over_ideal(&t[i], 1));
    }
    return worst;
}

static double least_mean(const sc10_times *const *t, size_t n)
{
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, noisy(t[i], gsl_stats_mean(t[i]->sorted, 1, t[i]->n)));
    }
    return least;
}

void sc10_ferreira(sc10_lab *lab, sc10_table *table)
{
    const sc10_case all = {
        .collective = "allreduce", .machine = "xt4", .noise = "fixed:10Hz:2.5ms"};
    sc10_case broadcast = all;
    broadcast.collective = "bcast";
    const sc10_times *t64 = sc10_lab_times(lab, &all, 64);
    const sc10_times *t128 = sc10_lab_times(lab, &all, 128);
    sc10_check_estimate(table, "E6", "XT-4, 64 ranks: noisy / base (median)", "below 30",
                        sc10_bootstrap(&t64, 1, SC10_ALL, median_over_ideal), 1, 30, "x");
    sc10_check_estimate(table, "E6", "XT-4, 128 ranks: noisy / base (median)", "above 30",
                        sc10_bootstrap(&t128, 1, SC10_ALL, median_over_ideal), 30, INFINITY, "x");
    const uint32_t last = MIN(sc10_lab_max_ranks(lab), 1 << 16);
    size_t n = 0;
    size_t n_broadcast = 0;
    g_autofree const sc10_times **a = sc10_lab_by_size(lab, &all, 64, last, &n);
    g_autofree const sc10_times **b = sc10_lab_by_size(lab, &broadcast, 128, last, &n_broadcast);
    const sc10_times *both[64];
    for (size_t i = 0; i < n_broadcast; i++) {
        both[i] = a[i + 1];
        both[n_broadcast + i] = b[i];
    }
    sc10_check_estimate(table, "E6", "broadcast / allreduce from 128 ranks on (largest ratio)",
                        "less", sc10_bootstrap(both, 2 * n_broadcast, SC10_ALL, worst_ratio), 0,
                        0.7, "x");
    sc10_check_estimate(table, "E6", "allreduce from 64 ranks on: noisy / base (least mean)", "30",
                        sc10_bootstrap(a, n, SC10_ALL, least_mean), 15, INFINITY, "x");
}
