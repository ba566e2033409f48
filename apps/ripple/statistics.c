/* apps/ripple/statistics.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "statistics.h"

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

/* Linear between neighbours: the value at (n - 1) q / 4. */
static sim_time quartile(const sim_time *sorted, size_t n, size_t q)
{
    const size_t position = (n - 1) * q;
    const sim_time below = sorted[position / 4];
    const size_t rest = position % 4;
    return rest == 0 ? below : below + (sorted[position / 4 + 1] - below) * (sim_time)rest / 4;
}

app_statistics app_statistics_of(const sim_time *values, size_t n, double level)
{
    assert(n > 0);
    g_autofree sim_time *sorted = g_memdup2(values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, compare);
    app_statistics s = {
        .min = sorted[0],
        .quartile1 = quartile(sorted, n, 1),
        .median = quartile(sorted, n, 2),
        .quartile3 = quartile(sorted, n, 3),
        .max = sorted[n - 1],
        .low = sorted[0],
        .high = sorted[n - 1],
    };
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
