/* tests/bench/test_verdict.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "verdict.h"

#include "check.h"

#include <math.h>

typedef struct row {
    const char *what;
    sc10_estimate ours;
    double low;
    double high;
    sc10_verdict wanted;
} row;

static void intervals_have_the_verdict_of_the_table(void)
{
    const row rows[] = {
        {"well within", {5, 4, 6}, 0, 10, SC10_INSIDE},
        {"the band itself", {5, 0, 10}, 0, 10, SC10_INSIDE},
        {"ends with the band", {8, 6, 10}, 0, 10, SC10_INSIDE},
        {"begins with the band", {2, 0, 4}, 0, 10, SC10_INSIDE},
        {"crosses the upper end", {9, 8, 11}, 0, 10, SC10_COMPATIBLE},
        {"crosses the lower end", {1, -1, 2}, 0, 10, SC10_COMPATIBLE},
        {"crosses it, value beyond", {12, 9, 15}, 0, 10, SC10_COMPATIBLE},
        {"touches the upper end", {12, 10, 14}, 0, 10, SC10_COMPATIBLE},
        {"touches the lower end", {-2, -4, 0}, 0, 10, SC10_COMPATIBLE},
        {"holds the band", {5, -1, 11}, 0, 10, SC10_COMPATIBLE},
        {"just beyond", {12, nextafter(10, 11), 14}, 0, 10, SC10_OUTSIDE},
        {"just below", {-2, -4, nextafter(0, -1)}, 0, 10, SC10_OUTSIDE},
        {"far beyond", {70, 69.4, 71}, 51, 69, SC10_OUTSIDE},
        {"bootstrapped beyond its value", {9, 10.5, 14}, 0, 10, SC10_OUTSIDE},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        CHECK_I64(sc10_verdict_of(rows[i].ours, rows[i].low, rows[i].high), rows[i].wanted, "%s",
                  rows[i].what);
    }
}

static void bands_may_have_one_end_or_no_width(void)
{
    const row rows[] = {
        {"above a least value", {5, 4, 6}, 4, INFINITY, SC10_INSIDE},
        {"about a least value", {5, 4, 6}, 4.5, INFINITY, SC10_COMPATIBLE},
        {"touches a least value", {5, 4, 6}, 6, INFINITY, SC10_COMPATIBLE},
        {"below a least value", {5, 4, 6}, 6.5, INFINITY, SC10_OUTSIDE},
        {"below a largest value", {5, 4, 6}, -INFINITY, 6, SC10_INSIDE},
        {"about a largest value", {5, 4, 6}, -INFINITY, 5, SC10_COMPATIBLE},
        {"above a largest value", {5, 4, 6}, -INFINITY, 3, SC10_OUTSIDE},
        {"anything will do", {5, 4, 6}, -INFINITY, INFINITY, SC10_INSIDE},
        {"one value, met", {5, 4, 6}, 5, 5, SC10_COMPATIBLE},
        {"one value, the same", {5, 5, 5}, 5, 5, SC10_INSIDE},
        {"one value, missed", {5, 4, 6}, 7, 7, SC10_OUTSIDE},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        CHECK_I64(sc10_verdict_of(rows[i].ours, rows[i].low, rows[i].high), rows[i].wanted, "%s",
                  rows[i].what);
    }
}

static void values_without_interval_are_never_compatible(void)
{
    static const double VALUES[] = {-1, 0, 5, 10, 11};
    for (size_t i = 0; i < G_N_ELEMENTS(VALUES); i++) {
        const double v = VALUES[i];
        CHECK_I64(sc10_verdict_of(sc10_exactly(v), 0, 10),
                  v >= 0 && v <= 10 ? SC10_INSIDE : SC10_OUTSIDE, "%g", v);
    }
}

static void what_is_no_number_is_outside(void)
{
    CHECK_I64(sc10_verdict_of(sc10_exactly(NAN), 0, 10), SC10_OUTSIDE);
    CHECK_I64(sc10_verdict_of(sc10_exactly(NAN), -INFINITY, INFINITY), SC10_OUTSIDE);
    CHECK_I64(sc10_verdict_of(sc10_exactly(INFINITY), 0, INFINITY), SC10_OUTSIDE);
    CHECK_I64(sc10_verdict_of((sc10_estimate){5, NAN, NAN}, 0, 10), SC10_OUTSIDE);
    CHECK_I64(sc10_verdict_of((sc10_estimate){NAN, 4, 6}, 0, 10), SC10_OUTSIDE);
}

/* By the definition, value for value: which points of the interval does the band hold? */
static void random_intervals_agree_with_counting_their_points(void)
{
    g_autoptr(GRand) dice = g_rand_new_with_seed(1);
    for (int i = 0; i < 20000; i++) {
        const int ends[] = {g_rand_int_range(dice, 0, 12), g_rand_int_range(dice, 0, 12)};
        const int band[] = {g_rand_int_range(dice, 0, 12), g_rand_int_range(dice, 0, 12)};
        const int from = MIN(ends[0], ends[1]);
        const int to = MAX(ends[0], ends[1]);
        int within = 0;
        for (int v = from; v <= to; v++) {
            within += v >= MIN(band[0], band[1]) && v <= MAX(band[0], band[1]);
        }
        const sc10_verdict wanted = within == to - from + 1 ? SC10_INSIDE
                                    : within > 0            ? SC10_COMPATIBLE
                                                            : SC10_OUTSIDE;
        const sc10_estimate ours = {(from + to) / 2.0, from, to};
        CHECK_I64(sc10_verdict_of(ours, MIN(band[0], band[1]), MAX(band[0], band[1])), wanted,
                  "seed 1, number %d: %d .. %d", i, from, to);
    }
}

SUITE_MAIN("verdict", TEST(intervals_have_the_verdict_of_the_table),
           TEST(bands_may_have_one_end_or_no_width),
           TEST(values_without_interval_are_never_compatible), TEST(what_is_no_number_is_outside),
           TEST(random_intervals_agree_with_counting_their_points))
