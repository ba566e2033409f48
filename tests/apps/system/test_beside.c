/* tests/apps/system/test_beside.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Which runs share threads, so that none is left over. */
#include "check.h"
#include "system/beside.h"

static void runs_that_divide_among_the_threads_go_beside_each_other(void)
{
    const double work[] = {1, 1, 1, 1, 1, 1};
    CHECK_I64(app_beside_before(work, 6, 2, 2), 0);
    CHECK_I64(app_beside_before(work, 6, 3, 3), 0);
    CHECK_I64(app_beside_before(work, 6, 6, 6), 0);
    CHECK_I64(app_beside_before(work, 1, 1, 2), 0);
    CHECK_I64(app_beside_before(work, 6, 1, 2), 0);
}

static void one_that_would_be_left_over_goes_first_on_all_threads(void)
{
    const double work[] = {1, 1, 1, 1, 1};
    CHECK_I64(app_beside_before(work, 3, 2, 2), 1);
    CHECK_I64(app_beside_before(work, 5, 2, 2), 1);
    CHECK_I64(app_beside_before(work, 5, 4, 4), 1);
    CHECK_I64(app_beside_before(work, 5, 4, 8), 1);
}

/* Of four threads, two each: 1 / (2 * 0.85) and 1, less than two times 1. */
static void two_that_would_be_left_over_share_the_threads(void)
{
    const double work[] = {1, 1, 1, 1, 1, 1};
    CHECK_I64(app_beside_before(work, 6, 4, 4), 2);
}

/* With three for four threads, each would have one, as after the others. */
static void so_many_that_each_has_one_thread_stay_at_the_end(void)
{
    const double work[] = {1, 1, 1, 1, 1, 1, 1};
    CHECK_I64(app_beside_before(work, 7, 4, 4), 0);
}

/* A recorded run takes 2.5 times as long: 2.5 beside 1 and 1, and then the last on one thread, or
 * the first on both, then 2.5 beside 1. */
static void a_long_run_leaves_none_over_where_short_ones_go_beside_it(void)
{
    const double recorded[] = {2.5, 2.5, 1};
    const double uneven[] = {2, 1, 1};
    CHECK_I64(app_beside_before(recorded, 3, 2, 2), 0);
    CHECK_I64(app_beside_before(uneven, 3, 2, 2), 0);
}

SUITE_MAIN("beside", TEST(runs_that_divide_among_the_threads_go_beside_each_other),
           TEST(one_that_would_be_left_over_goes_first_on_all_threads),
           TEST(two_that_would_be_left_over_share_the_threads),
           TEST(so_many_that_each_has_one_thread_stay_at_the_end),
           TEST(a_long_run_leaves_none_over_where_short_ones_go_beside_it))
