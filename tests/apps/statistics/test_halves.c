/* tests/apps/statistics/test_halves.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "statistics/halves.h"

#include "check.h"
#include "noise/random.h"
#include "statistics/mean.h"

#include <math.h>

static void halves_are_whole_units_from_the_end(void)
{
    static const double noisy[] = {100, 2, 3, 5, 4, 2, 1, 8};
    static const double ideal[] = {1, 1, 2, 1, 2, 1, 1, 1};
    static const struct {
        size_t n;
        size_t unit;
        bool is_split;
        double first;
        double second;
    } row[] = {
        {8, 1, true, 110.0 / 5 - 1, 15.0 / 5 - 1}, /* 100 2 3 5 | 4 2 1 8 */
        {8, 2, true, 110.0 / 5 - 1, 15.0 / 5 - 1},
        {8, 3, true, 12.0 / 5 - 1, 11.0 / 3 - 1}, /* 3 5 4 | 2 1 8 */
        {7, 2, true, 9.0 / 3 - 1, 3.0 / 2 - 1},   /* 5 4 | 2 1 */
        {8, 5, false, 0, 0},
        {1, 1, false, 0, 0},
        {0, 1, false, 0, 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        double first = -7;
        double second = -7;
        const bool is_split =
            app_halves_split(noisy, ideal, row[i].n, row[i].unit, &first, &second);
        CHECK(is_split == row[i].is_split, "row %zu", i);
        CHECK_NEAR(first, is_split ? row[i].first : -7, 1e-14, "row %zu", i);
        CHECK_NEAR(second, is_split ? row[i].second : -7, 1e-14, "row %zu", i);
    }
}

static void a_half_that_takes_no_time_has_no_slowdown(void)
{
    static const double noisy[] = {1, 1, 1, 1};
    static const double ideal[] = {1, 1, 0, 0};
    double first = 0;
    double second = 0;
    CHECK(!app_halves_split(noisy, ideal, 4, 1, &first, &second));
}

static void decisions_are_those_of_the_definition(void)
{
    /* Differences 1 and 3: mean 2, standard error 1. */
    static const double first[] = {10, 20};
    static const double second[] = {11, 23};
    static const struct {
        double half_width;
        bool is_settled;
    } row[] = {{0.99, false}, {1, true}, {5, true}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const app_halves h = app_halves_of(first, second, 2, row[i].half_width);
        CHECK_NEAR(h.difference, 2, 1e-15, "row %zu", i);
        CHECK_NEAR(h.standard_error, 1, 1e-15, "row %zu", i);
        CHECK(h.is_settled == row[i].is_settled, "row %zu", i);
    }
}

static void what_is_not_known_is_not_settled(void)
{
    /* Differences -3 and 3: mean 0, standard error 3, which is more than two half widths. */
    static const double first[] = {3, 0};
    static const double second[] = {0, 3};
    CHECK(!app_halves_of(first, second, 2, 1.49).is_settled);
    CHECK(app_halves_of(first, second, 2, 1.5).is_settled);
    const app_halves one = app_halves_of(first, second, 1, 1e9);
    CHECK_NEAR(one.difference, -3, 1e-15);
    CHECK(isinf(one.standard_error) && !one.is_settled);
}

/* As the header derives: of runs that are even, asked for a half width that their interval just
 * has, 7 % are refused with 5 replicas, 5 % with 20; of runs whose estimate is wrong by twice the
 * half width, few pass. */
static void even_runs_pass_and_others_do_not(void)
{
    static const size_t replicas[] = {5, 20};
    static const double refused[] = {0.07, 0.05};
    enum { ROUNDS = 4000 };
    for (size_t k = 0; k < G_N_ELEMENTS(replicas); k++) {
        const size_t n = replicas[k];
        int passed[2] = {0};
        for (uint64_t round = 0; round < ROUNDS; round++) {
            double first[20];
            double second[20];
            double all[20];
            for (uint64_t i = 0; i < n; i++) {
                first[i] = 3 + noise_random_normal(1, 2 * round, i);
                second[i] = 3 + noise_random_normal(1, 2 * round + 1, i);
                all[i] = (first[i] + second[i]) / 2;
            }
            const double half_width = app_mean_of(all, n, 1).half_width;
            passed[0] += app_halves_of(first, second, n, half_width).is_settled;
            for (uint64_t i = 0; i < n; i++) {
                first[i] += 4 * half_width;
            }
            passed[1] += app_halves_of(first, second, n, half_width).is_settled;
        }
        CHECK_NEAR(1 - (double)passed[0] / ROUNDS, refused[k], 0.02, "n %zu", n);
        CHECK(passed[1] < 0.05 * ROUNDS, "n %zu: %d", n, passed[1]);
    }
}

static void what_changes_by_more_than_chance_is_half_an_error(void)
{
    static const double row[][3] = {{-3, 1, -1.5}, {3, 1, 1.5}, {2, 1, 0}, {0, 0, 0}, {1, 0, 0.5}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        CHECK(app_halves_off_by(row[i][0], row[i][1]) == row[i][2], "row %zu", i);
    }
    CHECK(app_halves_off_by(3, INFINITY) == 0);
}

SUITE_MAIN("halves", TEST(what_changes_by_more_than_chance_is_half_an_error),
           TEST(halves_are_whole_units_from_the_end),
           TEST(a_half_that_takes_no_time_has_no_slowdown),
           TEST(decisions_are_those_of_the_definition), TEST(what_is_not_known_is_not_settled),
           TEST(even_runs_pass_and_others_do_not))
