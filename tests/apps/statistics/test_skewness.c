/* tests/apps/statistics/test_skewness.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "statistics/skewness.h"

#include "check.h"
#include "noise/random.h"

#include <math.h>

static void numbers_are_those_of_another_program(void)
{
    /* SciPy 1.14, documentation of scipy.stats.skewtest, examples. */
    static const struct {
        double values[8];
        double z;
    } row[] = {
        {{2, 8, 0, 4, 1, 9, 9, 0}, 0.44626385374196975},
        {{1, 2, 3, 4, 5, 6, 7, 8000}, 3.571773510360407},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        CHECK_NEAR(app_skewness_of(row[i].values, 8), row[i].z, 1e-13, "row %zu", i);
        double mirrored[8];
        for (size_t j = 0; j < 8; j++) {
            mirrored[j] = 5 - row[i].values[j];
        }
        CHECK_NEAR(app_skewness_of(mirrored, 8), -row[i].z, 1e-12, "row %zu", i);
    }
}

static void values_that_are_alike_or_symmetric_are_not_skewed(void)
{
    static const double alike[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    static const double symmetric[] = {-4, -3, -2, -1, 0, 1, 2, 3, 4};
    CHECK(app_skewness_of(alike, 9) == 0);
    CHECK_NEAR(app_skewness_of(symmetric, 9), 0, 1e-15);
}

/* How often is |z| above 1.96? At 5 % of normal samples, at most of skewed ones. */
static void it_is_found_where_it_is(void)
{
    static const size_t sizes[] = {20, 50};
    enum { ROUNDS = 4000 };
    for (size_t s = 0; s < G_N_ELEMENTS(sizes); s++) {
        int found[2] = {0};
        for (uint64_t round = 0; round < ROUNDS; round++) {
            double even[50];
            double skewed[50];
            for (uint64_t i = 0; i < sizes[s]; i++) {
                even[i] = noise_random_normal(1, round, i);
                skewed[i] = -log(noise_random_unit(2, round, i));
            }
            found[0] += fabs(app_skewness_of(even, sizes[s])) > 1.959964;
            found[1] += fabs(app_skewness_of(skewed, sizes[s])) > 1.959964;
        }
        /* four standard deviations of a proportion of 5 % */
        CHECK_NEAR((double)found[0] / ROUNDS, 0.05, 4 * sqrt(0.05 * 0.95 / ROUNDS), "n %zu",
                   sizes[s]);
        CHECK(found[1] > (s == 0 ? 0.6 : 0.95) * ROUNDS, "n %zu: %d", sizes[s], found[1]);
    }
}

SUITE_MAIN("skewness", TEST(numbers_are_those_of_another_program),
           TEST(values_that_are_alike_or_symmetric_are_not_skewed), TEST(it_is_found_where_it_is))
