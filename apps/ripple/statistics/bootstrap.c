/* apps/ripple/statistics/bootstrap.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "statistics/bootstrap.h"

#include "noise/random.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* Means of resamples, in ascending order. */
static void draw(const double *values, size_t n, uint64_t seed, double *means)
{
    const uint64_t stream = noise_random_stream("bootstrap of a mean");
    for (size_t r = 0; r < APP_RESAMPLES; r++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) {
            sum += values[noise_random_below(seed, stream, r * n + i, n)];
        }
        means[r] = sum / (double)n;
    }
    gsl_sort(means, 1, APP_RESAMPLES);
}

/* z0, 14.14: where the mean of the values lies among those of the resamples. Half of those that
 * equal it are below: where most values are alike, there are many. */
static double bias(const double *means, double mean, double rounding)
{
    size_t twice = 0;
    for (size_t r = 0; r < APP_RESAMPLES; r++) {
        const double d = means[r] - mean;
        twice += fabs(d) <= rounding ? 1 : d < 0 ? 2 : 0;
    }
    const double part = (double)twice / (2.0 * APP_RESAMPLES);
    const double end = 0.5 / APP_RESAMPLES; /* never 0 or 1, which have no z */
    return gsl_cdf_ugaussian_Pinv(fmin(fmax(part, end), 1 - end));
}

/* a, 14.15. To leave out a value moves a mean in proportion to its distance from it. At most 1/6.
 */
static double acceleration(const double *values, size_t n, double mean)
{
    double square = 0;
    double cube = 0;
    for (size_t i = 0; i < n; i++) {
        const double d = values[i] - mean;
        square += d * d;
        cube += d * d * d;
    }
    return cube / (6 * pow(square, 1.5));
}

/* 14.10: the part of the resamples that the end of an interval at @p z has below. */
static double part_below(double z, double z0, double a)
{
    return gsl_cdf_ugaussian_P(z0 + (z0 + z) / (1 - a * (z0 + z)));
}

void app_bootstrap_mean(const double *values, size_t n, double level, uint64_t seed, double *low,
                        double *high)
{
    assert(n >= 2);
    const double mean = gsl_stats_mean(values, 1, n);
    double means[APP_RESAMPLES];
    draw(values, n, seed, means);
    const double z0 = bias(means, mean, 1e-9 * gsl_stats_sd_m(values, 1, n, mean));
    const double a = acceleration(values, n, mean);
    const double z = gsl_cdf_ugaussian_Pinv(0.5 + level / 2);
    *low = gsl_stats_quantile_from_sorted_data(means, 1, APP_RESAMPLES, part_below(-z, z0, a));
    *high = gsl_stats_quantile_from_sorted_data(means, 1, APP_RESAMPLES, part_below(z, z0, a));
}
