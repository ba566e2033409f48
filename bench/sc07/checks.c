/* bench/sc07/checks.c — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file What is asked of every program: docs/sc07.md, section 3. */
#include "experiments.h"
#include "statistic.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

enum { N, F, O };

void sc07_compare(const sc07_report *report, const char *id, const char *what, const char *paper,
                  const double *values, size_t n)
{
    const double value = g_ascii_strtod(paper, NULL);
    sc10_check_estimate(report->numbers, id, what, paper, sc07_range(values, n), value, value, "");
}

/* Metrics of both ranks: [2 seeds]. Owned by the caller. */
static double *all_ranks(const sc07_outcome *o, size_t kind)
{
    double *out = g_new(double, (gsize)SC07_RATED * o->seeds);
    for (uint32_t i = 0; i < SC07_RATED; i++) {
        sc07_outcome_ranks(o, kind, i, out + (size_t)i * o->seeds);
    }
    return out;
}

void sc07_check_kinds(const sc07_report *report, const char *id, const char *name,
                      const sc07_outcome *o)
{
    const size_t n = o->seeds;
    g_autofree double *none = all_ranks(o, N);
    g_autofree double *full = g_new(double, n);
    g_autofree double *some = g_new(double, n);
    g_autofree double *more = g_new(double, n);
    sc07_outcome_nodes(o, F, full);
    sc07_outcome_nodes(o, O, some);
    for (size_t i = 0; i < n; i++) {
        more[i] = full[i] - some[i];
    }
    g_autofree char *median = g_strdup_printf("%s, N: median of the metric", name);
    g_autofree char *high = g_strdup_printf("%s, N: 95th percentile", name);
    g_autofree char *mean = g_strdup_printf("%s: mean F - mean O", name);
    g_autofree char *test = g_strdup_printf("%s: F above O, Mann-Whitney, one-sided p", name);
    sc10_check_between(report->rules, id, median, "0", sc07_quantile(none, SC07_RATED * n, 0.5), 0,
                       0, "");
    sc10_check_between(report->rules, id, high, "0", sc07_quantile(none, SC07_RATED * n, 0.95), 0,
                       0.10, "");
    sc10_check_estimate(report->rules, id, mean, "> 0", sc07_mean(more, n), 0.03, 1, "");
    sc10_check_between(report->rules, id, test, "F > O", sc07_rank_sum(full, n, some, n), 0, 0.05,
                       "");
}

void sc07_check_lengths(const sc07_report *report, const char *id, const char *name,
                        const sc07_set *set, const sc07_outcome *o, size_t kind)
{
    double length[NOISE_SEQUENCES_MOST];
    double ils[NOISE_SEQUENCES_MOST];
    double space[2 * NOISE_SEQUENCES_MOST];
    size_t n = 0;
    for (uint32_t l = 0; l < set->num; l++) {
        length[n] = set->length[l];
        ils[n] = sc07_outcome_ils(o, kind, l);
        n += !isnan(ils[n]);
    }
    g_autofree char *what =
        g_strdup_printf("%s, F: mean ILS goes with the length, Spearman's rho", name);
    const double rho = n > 1 ? gsl_stats_spearman(length, 1, ils, 1, n, space) : NAN;
    sc10_check_between(report->rules, id, what, "longer, larger", rho, 0.8, 1, "");
    for (uint32_t l = 0; l < set->num; l++) {
        g_autofree char *each =
            g_strdup_printf("%s, F: mean ILS of sequences of %u calls", name, set->length[l]);
        sc10_note(report->numbers, id, each, "", "%.3f", sc07_outcome_ils(o, kind, l));
    }
}

sc07_set *sc07_paper_set(const sc07_program *program, sc07_program_kind kind)
{
    return kind == SC07_FT   ? sc07_set_new(program, 4, 1)
           : kind == SC07_CG ? sc07_set_new(program, 8, 1)
                             : sc07_set_new(program, 10, 50);
}
