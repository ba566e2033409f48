/* apps/ripple/statistics/statistics.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "statistics/statistics.h"

#include <assert.h>
#include <glib.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const sim_time x = *(const sim_time *)a;
    const sim_time y = *(const sim_time *)b;
    return (x > y) - (x < y);
}

/* Linear between neighbours: the value at (n - 1) part / of. */
static sim_time quantile(const sim_time *sorted, size_t n, size_t part, size_t of)
{
    const size_t position = (n - 1) * part;
    const sim_time below = sorted[position / of];
    const size_t rest = position % of;
    if (rest == 0) {
        return below;
    }
    const sim_int128 step = sorted[position / of + 1] - below;
    return below + (sim_time)(step * (sim_int128)rest / (sim_int128)of);
}

static sim_time mean(const sim_time *values, size_t n)
{
    sim_int128 sum = (sim_int128)n / 2;
    for (size_t i = 0; i < n; i++) {
        sum += values[i];
    }
    return (sim_time)(sum / (sim_int128)n);
}

/* Tukey's: what is more than 1.5 quartile distances away from the box is beyond the whiskers. */
static void set_whiskers(app_statistics *s, const sim_time *sorted, size_t n)
{
    const sim_int128 fence = 3 * ((sim_int128)s->quartile3 - s->quartile1); /* twice */
    size_t first = 0;
    size_t last = n - 1;
    while (2 * (sim_int128)sorted[first] < 2 * (sim_int128)s->quartile1 - fence) {
        first++;
    }
    while (2 * (sim_int128)sorted[last] > 2 * (sim_int128)s->quartile3 + fence) {
        last--;
    }
    s->outliers = first + (n - 1 - last);
    s->whisker_low = MIN(sorted[first], s->quartile1);
    s->whisker_high = MAX(sorted[last], s->quartile3);
}

app_statistics app_statistics_of(const sim_time *values, size_t n, double level)
{
    assert(n > 0);
    g_autofree sim_time *sorted = g_memdup2(values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, compare);
    app_statistics s = {
        .min = sorted[0],
        .quartile1 = quantile(sorted, n, 1, 4),
        .median = quantile(sorted, n, 2, 4),
        .quartile3 = quantile(sorted, n, 3, 4),
        .max = sorted[n - 1],
        .p95 = quantile(sorted, n, 95, 100),
        .p99 = quantile(sorted, n, 99, 100),
        .mean = mean(sorted, n),
        .low = sorted[0],
        .high = sorted[n - 1],
    };
    set_whiskers(&s, sorted, n);
    if (n < 2) {
        return s;
    }
    /* The k-th value from either end encloses the median unless fewer than k of n values fall on
     * one side of it: 1 - 2 P(B < k), B ~ Binomial(n, 1/2). The largest k that still does. */
    const unsigned count = (unsigned)n;
    unsigned k = 1;
    while (k < count / 2 && 1 - 2 * gsl_cdf_binomial_P(k, 0.5, count) >= level) {
        k++;
    }
    s.low = sorted[k - 1];
    s.high = sorted[count - k];
    /* To nine digits: the last ones of the incomplete beta function are noise. */
    s.level = round((1 - 2 * gsl_cdf_binomial_P(k - 1, 0.5, count)) * 1e9) / 1e9;
    return s;
}
