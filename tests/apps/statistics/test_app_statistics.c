/* tests/apps/statistics/test_app_statistics.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "statistics/statistics.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

static void quartiles_lie_where_linear_interpolation_puts_them(void)
{
    /* By hand: position (n - 1) q / 4 in the sorted values. */
    static const sim_time five[] = {50, 10, 40, 20, 30};
    const app_statistics odd = app_statistics_of(five, 5, 0.95);
    CHECK_I64(odd.min, 10);
    CHECK_I64(odd.quartile1, 20);
    CHECK_I64(odd.median, 30);
    CHECK_I64(odd.quartile3, 40);
    CHECK_I64(odd.max, 50);
    static const sim_time four[] = {40, 0, 80, 120};
    const app_statistics even = app_statistics_of(four, 4, 0.95);
    CHECK_I64(even.quartile1, 30);
    CHECK_I64(even.median, 60);
    CHECK_I64(even.quartile3, 90);
}

static void one_value_has_no_interval(void)
{
    static const sim_time one[] = {7};
    const app_statistics s = app_statistics_of(one, 1, 0.95);
    CHECK_I64(s.median, 7);
    CHECK_I64(s.low, 7);
    CHECK_I64(s.high, 7);
    CHECK(s.level == 0);
}

static void interval_of_the_median_is_the_binomial_one(void)
{
    /* Table of distribution-free intervals for the median, e.g. Conover, Practical Nonparametric
     * Statistics, 3rd ed., sec. 3.2: ranks and levels for about 95 %. */
    static const struct {
        size_t n;
        sim_time low;
        sim_time high;
        double level;
    } row[] = {
        {2, 1, 2, 0.5},       {5, 1, 5, 0.9375},   {6, 1, 6, 0.96875},  {8, 1, 8, 0.9921875},
        {10, 2, 9, 0.978516}, {15, 4, 12, 0.9648}, {20, 6, 15, 0.9586}, {25, 8, 18, 0.9567},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        sim_time values[32];
        for (size_t j = 0; j < row[i].n; j++) {
            values[j] = (sim_time)(row[i].n - j); /* n .. 1: the rank is the value */
        }
        const app_statistics s = app_statistics_of(values, row[i].n, 0.95);
        CHECK_I64(s.low, row[i].low, "n %zu", row[i].n);
        CHECK_I64(s.high, row[i].high, "n %zu", row[i].n);
        CHECK_NEAR(s.level, row[i].level, 5e-5, "n %zu", row[i].n);
    }
}

static void interval_covers_the_median_as_often_as_it_says(void)
{
    /* Uniform random values, true median 500000: how often do 11 of them enclose it? */
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    enum { ROUNDS = 20000, N = 11 };
    int covered = 0;
    double level = 0;
    for (int round = 0; round < ROUNDS; round++) {
        sim_time values[N];
        for (int i = 0; i < N; i++) {
            values[i] = g_rand_int_range(rand, 0, 1000000);
        }
        const app_statistics s = app_statistics_of(values, N, 0.95);
        covered += s.low <= 500000 && 500000 <= s.high;
        level = s.level;
    }
    /* five standard deviations of a binomial proportion */
    CHECK_NEAR((double)covered / ROUNDS, level, 5 * 0.11 / 141.0, "seed 1");
}

static void quantiles_and_mean_are_those_of_gsl(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(2);
    for (int round = 0; round < 200; round++) {
        sim_time values[300];
        double sorted[300];
        const size_t n = (size_t)g_rand_int_range(rand, 1, 300);
        for (size_t i = 0; i < n; i++) {
            values[i] = g_rand_int_range(rand, 0, 1000000000);
            sorted[i] = (double)values[i];
        }
        gsl_sort(sorted, 1, n);
        const app_statistics s = app_statistics_of(values, n, 0.95);
        const struct {
            sim_time value;
            double part;
        } row[] = {{s.quartile1, 0.25},
                   {s.median, 0.5},
                   {s.quartile3, 0.75},
                   {s.p95, 0.95},
                   {s.p99, 0.99}};
        for (size_t i = 0; i < G_N_ELEMENTS(row); i++) { /* ours are cut to a whole ps */
            CHECK_NEAR(row[i].value, gsl_stats_quantile_from_sorted_data(sorted, 1, n, row[i].part),
                       1.001, "seed 2, round %d, %g", round, row[i].part);
        }
        CHECK_NEAR(s.mean, gsl_stats_mean(sorted, 1, n), 0.501, "seed 2, round %d", round);
    }
}

static void whiskers_end_at_the_last_value_within_one_and_a_half_boxes(void)
{
    /* By hand: quartiles 30 and 70, so fences at -30 and 130; a value on a fence is within. */
    static const sim_time both[] = {130, 20, 30, 40, 50, 60, 70, 80, -30};
    const app_statistics none = app_statistics_of(both, 9, 0.95);
    CHECK_I64(none.whisker_low, -30);
    CHECK_I64(none.whisker_high, 130);
    CHECK_I64(none.outliers, 0);
    static const sim_time far[] = {131, 20, 30, 40, 50, 60, 70, 80, -31};
    const app_statistics two = app_statistics_of(far, 9, 0.95);
    CHECK_I64(two.whisker_low, 20);
    CHECK_I64(two.whisker_high, 80);
    CHECK_I64(two.outliers, 2);
    /* Quartile 3 is interpolated to 1000 / 4 above all values within: the whisker ends at the box.
     */
    static const sim_time few[] = {0, 0, 0, 1000};
    const app_statistics box = app_statistics_of(few, 4, 0.95);
    CHECK_I64(box.quartile3, 250);
    CHECK_I64(box.whisker_high, 250);
    CHECK_I64(box.outliers, 1);
}

static void values_at_the_end_of_the_range_do_not_overflow(void)
{
    static const sim_time large[] = {0, SIM_TIME_MAX, SIM_TIME_MAX, SIM_TIME_MAX - 1};
    const app_statistics s = app_statistics_of(large, 4, 0.95);
    CHECK_I64(s.mean, SIM_TIME_MAX / 4 * 3 + 2); /* (3 (2^61 - 1) - 1) / 4 = 3 * 2^59 - 1 */
    CHECK_I64(s.p99, SIM_TIME_MAX);
}

SUITE_MAIN("app_statistics", TEST(quartiles_lie_where_linear_interpolation_puts_them),
           TEST(one_value_has_no_interval), TEST(interval_of_the_median_is_the_binomial_one),
           TEST(interval_covers_the_median_as_often_as_it_says),
           TEST(quantiles_and_mean_are_those_of_gsl),
           TEST(whiskers_end_at_the_last_value_within_one_and_a_half_boxes),
           TEST(values_at_the_end_of_the_range_do_not_overflow))
