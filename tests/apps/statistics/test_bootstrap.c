/* tests/apps/statistics/test_bootstrap.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "statistics/bootstrap.h"

#include "check.h"
#include "noise/random.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double mean_without(const double *values, size_t n, size_t without)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (i != without) {
            sum += values[i];
            count++;
        }
    }
    return sum / (double)count;
}

/* Directly by the definition, with other random numbers, a hundred times as many of them, and the
 * acceleration from a jackknife that leaves out one value after the other. */
static double direct_end(const double *values, size_t n, double z, GRand *rand)
{
    enum { MANY = 100 * APP_RESAMPLES };
    g_autofree double *means = g_new(double, MANY);
    const double mean = mean_without(values, n, n);
    size_t below = 0;
    for (size_t r = 0; r < MANY; r++) {
        means[r] = 0;
        for (size_t i = 0; i < n; i++) {
            means[r] += values[g_rand_int_range(rand, 0, (gint32)n)] / (double)n;
        }
        below += means[r] < mean;
    }
    qsort(means, MANY, sizeof *means, compare);
    double centre = 0;
    for (size_t i = 0; i < n; i++) {
        centre += mean_without(values, n, i) / (double)n;
    }
    double square = 0;
    double cube = 0;
    for (size_t i = 0; i < n; i++) {
        const double d = centre - mean_without(values, n, i);
        square += d * d;
        cube += d * d * d;
    }
    const double a = cube / (6 * square * sqrt(square));
    const double z0 = gsl_cdf_ugaussian_Pinv((double)below / MANY);
    const double part = gsl_cdf_ugaussian_P(z0 + (z0 + z) / (1 - a * (z0 + z)));
    return means[(size_t)(part * (MANY - 1))];
}

static void ends_are_those_of_the_definition(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    for (uint64_t round = 0; round < 6; round++) {
        double values[40];
        const size_t n = 20 + 4 * round;
        double square = 0;
        for (uint64_t i = 0; i < n; i++) { /* lognormal: to the right; odd rounds: to the left */
            values[i] = 5 + (round % 2 ? -1 : 1) * exp(noise_random_normal(1, round, i));
        }
        const double mean = mean_without(values, n, n);
        for (size_t i = 0; i < n; i++) {
            square += (values[i] - mean) * (values[i] - mean);
        }
        const double error = sqrt(square) / (double)n;
        double low = 0;
        double high = 0;
        app_bootstrap_mean(values, n, 0.95, round, &low, &high);
        /* A 2.5 % quantile of 2,000, and their z0, are uncertain by a tenth of their deviation. */
        CHECK_NEAR(low, direct_end(values, n, -1.959964, rand), 0.35 * error, "round %" PRIu64,
                   round);
        CHECK_NEAR(high, direct_end(values, n, 1.959964, rand), 0.35 * error, "round %" PRIu64,
                   round);
        /* The longer side is where the tail is. */
        CHECK((high - mean > mean - low) == (round % 2 == 0), "round %" PRIu64, round);
    }
}

static void few_that_differ_do_not_break_it(void)
{
    double values[20] = {0}; /* one machine of twenty was hit */
    values[3] = 1;
    double low = 0;
    double high = 0;
    app_bootstrap_mean(values, 20, 0.95, 1, &low, &high);
    CHECK(low >= 0 && low < 0.05 && high > 0.1 && high <= 1, "%g %g", low, high);
    CHECK(isfinite(low) && isfinite(high));
}

/* Two thirds of the values are 0: a resample has often the very mean of the values. */
static void resamples_with_the_mean_of_the_values_count_half(void)
{
    double values[30] = {0};
    for (size_t i = 0; i < 10; i++) {
        values[i] = 1;
    }
    double low = 0;
    double high = 0;
    app_bootstrap_mean(values, 30, 0.95, 1, &low, &high);
    /* Clopper and Pearson, Biometrika 26(4), 1934, exact for 10 of 30: 0.173 .. 0.528, which is at
     * least 95 % and so wider; Wilson's score interval: 0.192 .. 0.512. */
    CHECK_NEAR(low, 0.182, 0.02);
    CHECK_NEAR(high, 0.512, 0.02);
}

SUITE_MAIN("bootstrap", TEST(ends_are_those_of_the_definition),
           TEST(few_that_differ_do_not_break_it),
           TEST(resamples_with_the_mean_of_the_values_count_half))
