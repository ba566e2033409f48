/* bench/sc07/statistic.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_statistic. */
#include "statistic.h"

#include "statistics/bootstrap.h"

#include <glib.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

static const double LEVEL = 0.95;

sc10_estimate sc07_mean(const double *x, size_t n)
{
    sc10_estimate e = sc10_exactly(gsl_stats_mean(x, 1, n));
    if (n > 1 && gsl_stats_min(x, 1, n) < gsl_stats_max(x, 1, n)) {
        app_bootstrap_mean(x, n, LEVEL, 1, &e.low, &e.high);
    }
    return e;
}

double sc07_quantile(const double *x, size_t n, double p)
{
    g_autofree double *sorted = g_memdup2(x, n * sizeof *x);
    gsl_sort(sorted, 1, n);
    return gsl_stats_quantile_from_sorted_data(sorted, 1, n, p);
}

sc10_estimate sc07_range(const double *x, size_t n)
{
    return (sc10_estimate){sc07_quantile(x, n, 0.5), gsl_stats_min(x, 1, n),
                           gsl_stats_max(x, 1, n)};
}

double sc07_rank_sum(const double *x, size_t num_x, const double *y, size_t num_y)
{
    const size_t n = num_x + num_y;
    double u = 0; /* pairs in which x is above, and half of those that tie */
    for (size_t i = 0; i < num_x; i++) {
        for (size_t k = 0; k < num_y; k++) {
            u += x[i] > y[k] ? 1 : x[i] < y[k] ? 0 : 0.5;
        }
    }
    double ties = 0; /* sum of t^3 - t over groups of equal values: each value adds t^2 - 1 */
    for (size_t i = 0; i < n; i++) {
        const double value = i < num_x ? x[i] : y[i - num_x];
        double same = 0;
        for (size_t k = 0; k < n; k++) {
            same += (k < num_x ? x[k] : y[k - num_x]) == value;
        }
        ties += same * same - 1;
    }
    const double pairs = (double)num_x * (double)num_y;
    const double all = (double)n;
    const double variance = pairs / 12 * (all + 1 - ties / (all * (all - 1)));
    return variance > 0 ? gsl_cdf_ugaussian_Q((u - pairs / 2 - 0.5) / sqrt(variance)) : 1;
}
