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

/** Which value of n comes i-th into a resample. */
typedef size_t(draw)(size_t resample, size_t i, size_t n);

static GRand *dice;

static size_t draw_by_dice(size_t resample, size_t i, size_t n)
{
    (void)resample;
    (void)i;
    return (size_t)g_rand_int_range(dice, 0, (gint32)n);
}

/* What app_bootstrap_mean() draws with seed 1. */
static size_t draw_the_same(size_t resample, size_t i, size_t n)
{
    const uint64_t stream = noise_random_stream("bootstrap of a mean");
    return noise_random_below(1, stream, resample * n + i, n);
}

/* Directly by the definition; the acceleration from a jackknife that leaves out one value after the
 * other. */
static double direct_end(const double *values, size_t n, double z, draw *which, size_t resamples)
{
    g_autofree double *means = g_new(double, resamples);
    const double mean = mean_without(values, n, n);
    size_t below = 0;
    for (size_t r = 0; r < resamples; r++) {
        means[r] = 0;
        for (size_t i = 0; i < n; i++) {
            means[r] += values[which(r, i, n)] / (double)n;
        }
        below += means[r] < mean;
    }
    qsort(means, resamples, sizeof *means, compare);
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
    const double z0 = gsl_cdf_ugaussian_Pinv((double)below / (double)resamples);
    const double part = gsl_cdf_ugaussian_P(z0 + (z0 + z) / (1 - a * (z0 + z)));
    const double at = part * (double)(resamples - 1); /* linear between neighbours */
    const size_t left = (size_t)at;
    return means[left] + (at - (double)left) * (means[left + 1] - means[left]);
}

static void ends_are_those_of_the_definition(void)
{
    enum { MANY = 100 * APP_RESAMPLES };
    dice = g_rand_new_with_seed(1);
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
        const double z = 1.9599639845400545;
        double end[2] = {0};
        app_bootstrap_mean(values, n, 0.95, 1, &end[0], &end[1]);
        for (size_t k = 0; k < 2; k++) {
            const double at = k == 0 ? -z : z;
            CHECK_NEAR(end[k], direct_end(values, n, at, draw_the_same, APP_RESAMPLES),
                       1e-9 * error, "round %" PRIu64, round);
            /* With other random numbers, and a hundred times as many: a 2.5 % quantile of 2,000,
             * and their z0, are uncertain by some tenths of a standard error. */
            CHECK_NEAR(end[k], direct_end(values, n, at, draw_by_dice, MANY), 0.5 * error,
                       "round %" PRIu64, round);
        }
        /* The longer side is where the tail is. */
        CHECK((end[1] - mean > mean - end[0]) == (round % 2 == 0), "round %" PRIu64, round);
    }
    g_rand_free(dice);
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
