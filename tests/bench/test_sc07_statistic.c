/* tests/bench/test_sc07_statistic.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "statistic.h"

#include <math.h>

/* All 252 ways to call five of ten values x: exact p of U as large, ties as they are. */
static double exact_p(const double *x, const double *y)
{
    enum { EACH = 5, ALL = 10 };
    double z[ALL];
    double u[1 << ALL];
    unsigned n = 0;
    double own = 0;
    memcpy(z, x, EACH * sizeof *z);
    memcpy(z + EACH, y, EACH * sizeof *z);
    for (unsigned mask = 0; mask < 1U << ALL; mask++) {
        if (__builtin_popcount(mask) != EACH) {
            continue;
        }
        u[n] = 0;
        for (unsigned i = 0; i < ALL; i++) {
            for (unsigned k = 0; k < ALL; k++) {
                if ((mask >> i & 1) != 0 && (mask >> k & 1) == 0) {
                    u[n] += z[i] > z[k] ? 1 : z[i] < z[k] ? 0 : 0.5;
                }
            }
        }
        own = mask == (1U << EACH) - 1 ? u[n] : own;
        n++;
    }
    unsigned as_large = 0;
    for (unsigned i = 0; i < n; i++) {
        as_large += u[i] >= own;
    }
    return (double)as_large / n;
}

static void the_rank_sum_test_is_that_of_all_permutations(void)
{
    static const double SETS[][2][5] = {
        {{5, 6, 7, 8, 9}, {0, 1, 2, 3, 4}}, {{5, 1, 7, 8, 3}, {0, 6, 2, 9, 4}},
        {{0, 0, 0, 1, 2}, {0, 0, 0, 0, 1}}, {{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}},
        {{1, 1, 2, 2, 3}, {1, 2, 2, 3, 3}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(SETS); i++) {
        const double p = sc07_rank_sum(SETS[i][0], 5, SETS[i][1], 5);
        /* With many ties p moves in steps of a tenth, which a normal distribution does not. */
        CHECK_NEAR(p, exact_p(SETS[i][0], SETS[i][1]), i == 2 || i == 4 ? 0.11 : 0.01, "set %zu",
                   i);
    }
}

static void values_that_are_all_alike_tell_nothing(void)
{
    const double x[4] = {0, 0, 0, 0};
    CHECK(sc07_rank_sum(x, 4, x, 4) >= 0.5);
    const sc10_estimate e = sc07_mean(x, 4);
    CHECK(e.value == 0 && e.low == 0 && e.high == 0);
}

static void a_range_goes_from_the_least_to_the_greatest(void)
{
    const double x[] = {3, 1, 2, 9};
    const sc10_estimate e = sc07_range(x, 4);
    CHECK_NEAR(e.value, 2.5, 0);
    CHECK_NEAR(e.low, 1, 0);
    CHECK_NEAR(e.high, 9, 0);
    CHECK_NEAR(sc07_quantile(x, 4, 1), 9, 0);
}

SUITE_MAIN("sc07_statistic", TEST(the_rank_sum_test_is_that_of_all_permutations),
           TEST(values_that_are_all_alike_tell_nothing),
           TEST(a_range_goes_from_the_least_to_the_greatest))
