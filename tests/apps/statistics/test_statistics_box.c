/* tests/apps/statistics/test_statistics_box.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "statistics/statistics_box.h"

#include "check.h"

static app_box_sample box_of(const sim_time *values, size_t n, GPtrArray *kept)
{
    const app_statistics times = app_statistics_of(values, n, 0.95);
    return app_statistics_box(&times, values, n, kept);
}

static void a_box_has_quartiles_whiskers_and_outliers_in_order(void)
{
    /* 1..11, 100 and -50: quartiles at (n-1) q = 3, 6, 9 of the sorted values: 3, 6, 9. The box is
     * 6 high, whiskers reach to -6 and 18: the last values are 1 and 11. */
    static const sim_time values[] = {11, 100, 3, 1, 5, 2, 4, 10, -50, 9, 8, 7, 6};
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_free);
    const app_box_sample box = box_of(values, G_N_ELEMENTS(values), kept);
    CHECK_I64((int64_t)box.num_values, 13);
    const double got[] = {box.whisker_low, box.quartile1, box.median, box.quartile3,
                          box.whisker_high};
    static const double want[] = {0.001, 0.003, 0.006, 0.009, 0.011};
    for (size_t i = 0; i < G_N_ELEMENTS(want); i++) {
        CHECK_NEAR(got[i], want[i], 1e-12, "number %zu", i);
    }
    CHECK_I64((int64_t)box.num_outliers, 2);
    CHECK_NEAR(box.outliers[0], -0.05, 1e-12);
    CHECK_NEAR(box.outliers[1], 0.1, 1e-12);
}

/* One value beyond each end of a box whose ends lie between values. */
static void a_quartile_between_two_values_ends_the_whisker(void)
{
    static const sim_time values[] = {0, 0, 0, 1000}; /* quartile 3: 250, its fence: 625 */
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_free);
    const app_box_sample box = box_of(values, G_N_ELEMENTS(values), kept);
    CHECK_NEAR(box.whisker_high, 0.25, 1e-12);
    CHECK_I64((int64_t)box.num_outliers, 1);
    CHECK_NEAR(box.outliers[0], 1, 1e-12);
}

static void a_box_is_in_whole_picoseconds_as_tables_are(void)
{
    static const sim_time values[] = {10, 20}; /* not 12.5 ps */
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_free);
    const app_box_sample box = box_of(values, G_N_ELEMENTS(values), kept);
    CHECK_NEAR(box.quartile1, 0.012, 1e-12);
    CHECK_I64((int64_t)box.num_outliers, 0);
}

SUITE_MAIN("statistics_box", TEST(a_box_has_quartiles_whiskers_and_outliers_in_order),
           TEST(a_quartile_between_two_values_ends_the_whisker),
           TEST(a_box_is_in_whole_picoseconds_as_tables_are))
