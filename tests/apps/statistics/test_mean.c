/* tests/apps/statistics/test_mean.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "statistics/mean.h"

#include "check.h"
#include "noise/random.h"

#include <math.h>

/* A stream of one seed for each round. */
static double normal(uint64_t round, uint64_t i)
{
    return noise_random_normal(1, round, i);
}

static double exponential(uint64_t round, uint64_t i)
{
    return -log(noise_random_unit(2, round, i));
}

static void the_interval_of_the_sleep_data_is_the_published_one(void)
{
    /* Student, The probable error of a mean, Biometrika 6(1), 1908, table of the additional hours
     * of sleep; interval: R, documentation of t.test(), paired data "sleep". */
    static const double hours[] = {1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4};
    const app_mean m = app_mean_of(hours, G_N_ELEMENTS(hours), 1);
    CHECK_NEAR(m.mean, 1.58, 1e-12);
    CHECK_NEAR(m.median, 1.3, 1e-12);
    CHECK_NEAR(m.low, 0.7001142, 5e-8);
    CHECK_NEAR(m.high, 2.4598858, 5e-8);
    CHECK_NEAR(m.half_width, (2.4598858 - 0.7001142) / 2, 5e-8);
    CHECK(m.level == 0.95 && !m.is_bootstrap);
}

static void the_half_width_has_the_t_of_the_tables(void)
{
    /* NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.2, upper 2.5 %. */
    static const struct {
        size_t n;
        double t;
    } row[] = {{5, 2.776},  {6, 2.571},  {8, 2.365},  {10, 2.262}, {15, 2.145},
               {20, 2.093}, {31, 2.042}, {61, 2.000}, {101, 1.984}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        double values[101];
        double squares = 0;
        const double middle = ((double)row[i].n - 1) / 2;
        for (size_t j = 0; j < row[i].n; j++) { /* 0 .. n - 1: no skewness at all */
            values[j] = (double)j;
            squares += (values[j] - middle) * (values[j] - middle);
        }
        const double n = (double)row[i].n;
        const app_mean m = app_mean_of(values, row[i].n, 1);
        CHECK_NEAR(m.half_width / sqrt(squares / (n - 1) / n), row[i].t, 5.01e-4, "n %zu",
                   row[i].n);
        CHECK(!m.is_bootstrap, "n %zu", row[i].n);
    }
}

static void fewer_than_five_values_have_their_range_and_no_level(void)
{
    static const double values[] = {3, -1, 10, 4};
    static const struct {
        size_t n;
        double mean;
        double median;
        double low;
        double high;
    } row[] = {{1, 3, 3, 3, 3}, {2, 1, 1, -1, 3}, {3, 4, 3, -1, 10}, {4, 4, 3.5, -1, 10}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const app_mean m = app_mean_of(values, row[i].n, 1);
        CHECK_NEAR(m.mean, row[i].mean, 1e-15, "row %zu", i);
        CHECK(m.median == row[i].median, "row %zu", i);
        CHECK(m.low == row[i].low && m.high == row[i].high, "row %zu", i);
        CHECK(m.level == 0 && !m.is_bootstrap && isinf(m.half_width), "row %zu", i);
    }
}

static void values_that_are_all_alike_are_a_point(void)
{
    double values[40]; /* 0.1 has no end in binary: sums of it are rounded */
    for (size_t n = 1; n <= 40; n++) {
        values[n - 1] = 0.1;
        const app_mean m = app_mean_of(values, n, 1);
        CHECK(m.mean == 0.1 && m.median == 0.1 && m.low == 0.1 && m.high == 0.1, "n %zu", n);
        CHECK(m.half_width == (n < 5 ? INFINITY : 0), "n %zu", n);
    }
}

static void only_many_values_that_are_skewed_are_resampled(void)
{
    int resampled[2] = {0};
    for (uint64_t round = 0; round < 200; round++) {
        double even[30];
        double skewed[30];
        for (uint64_t i = 0; i < 30; i++) {
            even[i] = normal(round, i);
            skewed[i] = exponential(round, i);
        }
        CHECK(!app_mean_of(skewed, 19, 1).is_bootstrap, "round %" PRIu64, round);
        resampled[0] += app_mean_of(even, 30, 1).is_bootstrap;
        resampled[1] += app_mean_of(skewed, 30, 1).is_bootstrap;
    }
    CHECK(resampled[0] <= 22, "%d", resampled[0]); /* of 200 at 5 %: mean 10, four deviations */
    CHECK(resampled[1] >= 160, "%d", resampled[1]);
}

static void a_seed_is_an_interval(void)
{
    double values[25];
    for (uint64_t i = 0; i < 25; i++) {
        values[i] = (double)(i * i * i * i); /* 0 .. 24^4 */
    }
    const app_mean a = app_mean_of(values, 25, 1);
    const app_mean b = app_mean_of(values, 25, 1);
    const app_mean c = app_mean_of(values, 25, 2);
    CHECK(a.is_bootstrap);
    CHECK(a.half_width == a.high - a.mean && a.half_width > a.mean - a.low); /* the longer side */
    CHECK(a.low == b.low && a.high == b.high);
    CHECK(a.low != c.low && a.high != c.high);
    CHECK_NEAR(c.low, a.low, 0.1 * a.half_width);
    CHECK_NEAR(c.high, a.high, 0.1 * a.half_width);
}

/* Stein's theorem: the mean of as many values as the pilot asks for, +- what was asked for, covers
 * in at least 95 of 100 cases, with every variance. */
static void as_many_values_as_the_pilot_asks_for_suffice(void)
{
    static const double deviation[] = {0.2, 1, 3};
    enum { ROUNDS = 2000 };
    for (size_t d = 0; d < G_N_ELEMENTS(deviation); d++) {
        int covered = 0;
        for (uint64_t round = 0; round < ROUNDS; round++) {
            double pilot[5];
            for (uint64_t i = 0; i < 5; i++) {
                pilot[i] = deviation[d] * normal(round + d * ROUNDS, i);
            }
            const app_mean m = app_mean_of(pilot, 5, 1);
            const size_t needed = app_mean_needed(&m, 5, 1);
            double sum = 0;
            for (uint64_t i = 0; i < needed; i++) {
                sum += deviation[d] * normal(round + d * ROUNDS, i);
            }
            covered += fabs(sum / (double)needed) <= 1;
        }
        /* at least 95 %, three standard deviations of 2,000 aside */
        CHECK(covered >= ROUNDS * 0.95 - 3 * 9.75, "deviation %g: %d", deviation[d], covered);
    }
}

static void the_needed_number_is_never_less_than_there_is(void)
{
    static const double values[] = {1, 2, 3, 4, 5};
    const app_mean m = app_mean_of(values, 5, 1); /* half width t sqrt(2.5 / 5) = 1.963 */
    CHECK_I64(app_mean_needed(&m, 5, 100), 5);
    CHECK_I64(app_mean_needed(&m, 5, m.half_width), 5);
    CHECK_I64(app_mean_needed(&m, 5, 1), 20); /* 2.776^2 2.5 = 19.27 */
    CHECK(app_mean_needed(&m, 5, 1e-12) == SIZE_MAX);
    const app_mean few = app_mean_of(values, 2, 1);
    CHECK_I64(app_mean_needed(&few, 2, 1), 5);
    static const double same[] = {1, 1, 1, 1, 1};
    const app_mean point = app_mean_of(same, 5, 1);
    CHECK_I64(app_mean_needed(&point, 5, 1e-30), 5);
}

static void an_interval_is_widened_and_a_range_is_not(void)
{
    static const double values[] = {1, 2, 3, 4, 5};
    app_mean m = app_mean_of(values, 5, 1); /* 3 +- 1.963 */
    const app_mean before = m;
    app_mean_widen(&m, 1.9);
    CHECK(m.low == before.low && m.high == before.high && m.half_width == before.half_width);
    app_mean_widen(&m, 2.5);
    CHECK(m.low == 0.5 && m.high == 5.5 && m.half_width == 2.5 && m.level == 0.95);
    app_mean range = app_mean_of(values, 3, 1);
    app_mean_widen(&range, 10);
    CHECK(range.low == 1 && range.high == 3 && isinf(range.half_width));
}

static void an_interval_is_stretched_to_one_side(void)
{
    static const double values[] = {1, 2, 3, 4, 5};
    app_mean m = app_mean_of(values, 5, 1);
    const app_mean before = m;
    app_mean_stretch(&m, 0.5);
    CHECK(m.low == before.low && m.high == before.high + 0.5 && m.half_width == m.high - 3);
    app_mean_stretch(&m, -1);
    CHECK(m.low == before.low - 1 && m.high == before.high + 0.5 && m.half_width == 3 - m.low);
    app_mean range = app_mean_of(values, 3, 1);
    app_mean_stretch(&range, 1);
    CHECK(range.low == 1 && range.high == 3 && isinf(range.half_width));
}

SUITE_MAIN("mean", TEST(an_interval_is_stretched_to_one_side),
           TEST(the_interval_of_the_sleep_data_is_the_published_one),
           TEST(the_half_width_has_the_t_of_the_tables),
           TEST(fewer_than_five_values_have_their_range_and_no_level),
           TEST(values_that_are_all_alike_are_a_point),
           TEST(only_many_values_that_are_skewed_are_resampled), TEST(a_seed_is_an_interval),
           TEST(as_many_values_as_the_pilot_asks_for_suffice),
           TEST(the_needed_number_is_never_less_than_there_is),
           TEST(an_interval_is_widened_and_a_range_is_not))
