/* bench/sc10/fixed_noise.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* E3 to E6: noise of a fixed frequency, as earlier publications injected it. */
#include "experiments.h"

#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

static const int HERTZ[] = {1000, 100, 10};
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

/* How well is the median a straight line over log2 of the ranks, from @p first on? */
static double linearity(sc10_lab *lab, const sc10_case *what, uint32_t first, uint32_t last,
                        bool added, double *slope)
{
    double x[32];
    double y[32];
    size_t n = 0;
    for (uint64_t ranks = first; ranks <= last; ranks *= 2) {
        const sc10_times *t = sc10_lab_times(lab, what, (uint32_t)ranks);
        x[n] = log2((double)ranks);
        y[n++] = sc10_median(t) - (added ? t->ideal : 0);
    }
    double start = 0;
    double c00 = 0;
    double c01 = 0;
    double c11 = 0;
    double squares = 0;
    gsl_fit_linear(x, 1, y, 1, n, &start, slope, &c00, &c01, &c11, &squares);
    const double total = gsl_stats_tss(y, 1, n);
    return 1 - squares / total;
}

static void check_coscheduled(sc10_lab *lab, uint32_t ranks, sc10_table *table)
{
    const sc10_times *t = beckman(lab, 100, 100, true, ranks);
    sc10_check_between(table, "E3", "co-scheduled 100 Hz, 100 us: median / base",
                       "", /* no number */
                       noisy(t, sc10_median(t)), 1, 1.01, "x");
    size_t hit = 0;
    for (size_t i = 0; i < t->n; i++) {
        hit += t->replica[i] > t->ideal;
    }
    const double expected = 100 * 1e-6 * (100 + t->ideal); /* f (D + w) */
    const double sigma = sqrt(expected * (1 - expected) / (double)t->n);
    sc10_check_between(table, "E3", "co-scheduled 100 Hz, 100 us: share of runs delayed, f (D + w)",
                       "", (double)hit / (double)t->n, expected - 3 * sigma, expected + 3 * sigma,
                       "");
}

void sc10_beckman(sc10_lab *lab, sc10_table *table)
{
    const uint32_t ranks = MIN(BECKMAN_RANKS, sc10_lab_max_ranks(lab));
    for (size_t f = 0; f < G_N_ELEMENTS(HERTZ); f++) {
        for (size_t d = 0; d < G_N_ELEMENTS(LENGTH_US); d++) {
            const sc10_times *t = beckman(lab, HERTZ[f], LENGTH_US[d], false, ranks);
            g_autofree char *what = g_strdup_printf("%d Hz, %d us at %u ranks: noisy / base",
                                                    HERTZ[f], LENGTH_US[d], ranks);
            sc10_note(table, "E3", what, "", "%.3g, max %.3g", noisy(t, sc10_median(t)),
                      noisy(t, sc10_max(t)));
        }
    }
    const sc10_times *largest = beckman(lab, 1000, 200, false, ranks);
    sc10_check_between(table, "E3", "1 kHz, 200 us: largest noisy / base", "13 (measured: 18)",
                       noisy(largest, sc10_max(largest)), 11.5, 14.5, "x");
    const sc10_times *half = beckman(lab, 1000, 100, false, ranks);
    sc10_check_between(
        table, "E3", "linear in the length: added by 200 us / added by 100 us", "linear",
        sc10_slowdown(largest, sc10_median(largest)) / sc10_slowdown(half, sc10_median(half)), 1.8,
        2.8, "x");
    double slope = 0;
    const sc10_case what = {
        .collective = "allreduce", .machine = "cnl", .noise = "fixed:1000Hz:200us"};
    sc10_check_between(table, "E3", "1 kHz, 200 us: R2 of added latency over log2 P", "log P",
                       linearity(lab, &what, 32, ranks, true, &slope), 0.99, 1, "");
    sc10_note(table, "E3", "1 kHz, 200 us: latency added per doubling", "", "%.4g us", slope);
    const sc10_times *small = beckman(lab, 1000, 16, false, ranks);
    sc10_check_between(table, "E3", "1 kHz, 16 us: largest noisy / base", "insignificant",
                       noisy(small, sc10_max(small)), 1, 1.6, "x");
    check_coscheduled(lab, ranks, table);
}

/* ---- E4 ---- */

static double box(const sc10_times *t)
{
    return (sc10_quantile(t, 0.75) - sc10_quantile(t, 0.25)) / sc10_median(t);
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
    sc10_check_between(table, "E4", "box / median shrinks from 16 ranks on: factor", "Figure 5a",
                       box(few) / box(many), 4, INFINITY, "x");
    sc10_note(table, "E4", "box / median at 16 ranks and at the largest size", "", "%.2f, %.3f",
              box(few), box(many));
    const sc10_times *least = beckman(lab, 1000, 100, false, 4);
    sc10_check_between(table, "E4", "4 ranks: median / base", "1", noisy(least, sc10_median(least)),
                       1, 1.01, "x");
    sc10_note(table, "E4", "median at 1 Ki ranks and at the largest size", "", "%.4g, %.4g us",
              sc10_median(beckman(lab, 1000, 100, false, MIN(1024, last))), sc10_median(many));
}

/* ---- E5 ---- */

static double added(const sc10_times *t)
{
    return sc10_median(t) - t->ideal;
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
        double slope = 0;
        const double r2 = linearity(lab, &rooted, 64, sizes[n - 1], false, &slope);
        g_autofree char *straight = g_strdup_printf("%s: R2 of median over log2 P", ROOTED[k]);
        sc10_check_between(table, "E5", straight, "log P", r2, 0.95, 1, "");
    }
    double slope = 0;
    sc10_check_between(table, "E5", "allreduce: R2 of median over log2 P", "log P",
                       linearity(lab, &all, 64, sizes[n - 1], false, &slope), 0.95, 1, "");
}

/* ---- E6 ---- */

static double median_over_ideal(const sc10_times *const *t, size_t n)
{
    (void)n;
    return noisy(t[0], sc10_median(t[0]));
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
    double worst = 0;
    double mean = INFINITY;
    const uint32_t last = MIN(sc10_lab_max_ranks(lab), 1 << 16);
    for (uint64_t ranks = 64; ranks <= last; ranks *= 2) {
        const sc10_times *a = sc10_lab_times(lab, &all, (uint32_t)ranks);
        mean = fmin(mean, noisy(a, gsl_stats_mean(a->replica, 1, a->n)));
        if (ranks >= 128) {
            const sc10_times *b = sc10_lab_times(lab, &broadcast, (uint32_t)ranks);
            worst = fmax(worst, noisy(b, sc10_median(b)) / noisy(a, sc10_median(a)));
        }
    }
    sc10_check_between(table, "E6", "broadcast / allreduce from 128 ranks on (largest ratio)",
                       "less", worst, 0, 0.7, "x");
    sc10_check_between(table, "E6", "allreduce from 64 ranks on: noisy / base (least mean)", "30",
                       mean, 15, INFINITY, "x");
}
