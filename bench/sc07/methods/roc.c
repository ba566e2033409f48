/* bench/sc07/methods/roc.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_roc. */
#include "roc.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

enum { RESAMPLES = 1000 };

/* By score, the highest first. */
static int by_score(const void *a, const void *b)
{
    const double x = ((const sc07_scored *)a)->score;
    const double y = ((const sc07_scored *)b)->score;
    return x > y ? -1 : x < y;
}

/* What is at or above some threshold. */
typedef struct above {
    double disturbed, clean, hours; /* hours: of the clean */
} above;

/* Ranks of one score, each as often as its group was drawn. @return behind them */
static size_t add_equals(const sc07_scored *s, size_t n, size_t at, const unsigned *weight,
                         above *sum)
{
    const double score = s[at].score;
    for (; at < n && s[at].score == score; at++) {
        const double w = weight[s[at].group];
        if (s[at].disturbed) {
            sum->disturbed += w;
        } else {
            sum->clean += w;
            sum->hours += w * s[at].hours;
        }
    }
    return at;
}

static above total(const sc07_scored *s, size_t n, const unsigned *weight)
{
    above all = {0, 0, 0};
    for (size_t at = 0; at < n;) {
        at = add_equals(s, n, at, weight, &all);
    }
    return all;
}

static double area_of(const sc07_scored *s, size_t n, const unsigned *weight)
{
    const above all = total(s, n, weight);
    above now = {0, 0, 0};
    double area = 0;
    for (size_t at = 0; at < n;) {
        const above before = now;
        at = add_equals(s, n, at, weight, &now);
        area += (now.clean - before.clean) * (now.disturbed + before.disturbed) / 2;
    }
    return all.disturbed > 0 && all.clean > 0 ? area / (all.disturbed * all.clean) : NAN;
}

static sc07_operating operating_at(const sc07_scored *s, size_t n, const unsigned *weight,
                                   double found)
{
    const above all = total(s, n, weight);
    if (all.disturbed == 0 || all.hours == 0) {
        return (sc07_operating){NAN, NAN, NAN};
    }
    above now = {0, 0, 0};
    size_t at = 0;
    double threshold = INFINITY;
    while (at < n && now.disturbed < found * all.disturbed) {
        threshold = s[at].score;
        at = add_equals(s, n, at, weight, &now);
    }
    return (sc07_operating){threshold, now.disturbed / all.disturbed, now.clean / all.hours};
}

/* Of values that may be NaN: those that are not. */
static sc07_interval interval_of(double value, double *values, size_t n)
{
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(values[i])) {
            values[known++] = values[i];
        }
    }
    if (known == 0) {
        return (sc07_interval){value, NAN, NAN};
    }
    gsl_sort(values, 1, known);
    return (sc07_interval){value, gsl_stats_quantile_from_sorted_data(values, 1, known, 0.025),
                           gsl_stats_quantile_from_sorted_data(values, 1, known, 0.975)};
}

sc07_roc sc07_roc_of(sc07_scored *scored, size_t n, uint32_t num_groups, double found)
{
    qsort(scored, n, sizeof *scored, by_score);
    unsigned *weight = calloc(num_groups, sizeof *weight);
    double *areas = malloc(RESAMPLES * sizeof *areas);
    double *alarms = malloc(RESAMPLES * sizeof *alarms);
    if (weight == NULL || areas == NULL || alarms == NULL) {
        abort();
    }
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < RESAMPLES; i++) {
        for (uint32_t k = 0; k < num_groups; k++) {
            weight[k] = 0;
        }
        for (uint32_t k = 0; k < num_groups; k++) {
            weight[gsl_rng_uniform_int(random, num_groups)]++;
        }
        areas[i] = area_of(scored, n, weight);
        alarms[i] = operating_at(scored, n, weight, found).false_alarms;
    }
    gsl_rng_free(random);
    for (uint32_t k = 0; k < num_groups; k++) {
        weight[k] = 1;
    }
    sc07_roc roc = {.at = operating_at(scored, n, weight, found)};
    roc.area = interval_of(area_of(scored, n, weight), areas, RESAMPLES);
    roc.false_alarms = interval_of(roc.at.false_alarms, alarms, RESAMPLES);
    free(weight);
    free(areas);
    free(alarms);
    return roc;
}

size_t sc07_roc_curve(const sc07_scored *scored, size_t n, sc07_roc_point *out)
{
    size_t disturbed = 0;
    for (size_t i = 0; i < n; i++) {
        disturbed += scored[i].disturbed;
    }
    size_t num = 0;
    size_t seen[2] = {0, 0}; /* not disturbed, disturbed */
    out[num++] = (sc07_roc_point){0, 0};
    for (size_t i = 0; i < n; i++) {
        seen[scored[i].disturbed]++;
        if (i + 1 == n || scored[i + 1].score != scored[i].score) {
            out[num++] = (sc07_roc_point){(double)seen[0] / (double)(n - disturbed),
                                          (double)seen[1] / (double)disturbed};
        }
    }
    return num;
}

double sc07_roc_found(const sc07_roc_point *curve, size_t n, double false_share)
{
    size_t i = 0;
    while (i + 1 < n && curve[i + 1].false_share <= false_share) {
        i++;
    }
    if (i + 1 == n) {
        return curve[i].true_share;
    }
    const sc07_roc_point a = curve[i];
    const sc07_roc_point b = curve[i + 1];
    return a.true_share + (b.true_share - a.true_share) * (false_share - a.false_share) /
                              (b.false_share - a.false_share);
}
