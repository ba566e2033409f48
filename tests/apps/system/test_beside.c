/* tests/apps/system/test_beside.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Which runs share threads, so that none is left over. */
#include "check.h"
#include "system/beside.h"

static void check(const double *work, size_t n, unsigned most, unsigned threads, size_t before,
                  unsigned at_once)
{
    const app_beside plan = app_beside_plan(work, n, most, threads);
    CHECK_I64(plan.before, before, "%zu runs on %u threads", n, threads);
    CHECK_I64(plan.at_once, at_once, "%zu runs on %u threads", n, threads);
}

static const double ALIKE[] = {1, 1, 1, 1, 1, 1, 1};

static void runs_that_divide_among_the_threads_go_beside_each_other(void)
{
    check(ALIKE, 6, 2, 2, 0, 2);
    check(ALIKE, 6, 3, 3, 0, 3);
    check(ALIKE, 6, 6, 6, 0, 6);
    check(ALIKE, 1, 1, 2, 0, 1);
}

static void as_many_as_memory_is_for_go_at_once_at_most(void)
{
    check(ALIKE, 6, 1, 2, 0, 1);
    check(ALIKE, 6, 2, 8, 0, 2);
}

static void those_that_would_be_left_over_go_first_on_more_threads(void)
{
    check(ALIKE, 3, 2, 2, 1, 2);
    check(ALIKE, 5, 2, 2, 1, 2);
    check(ALIKE, 5, 4, 4, 1, 4);
    check(ALIKE, 6, 4, 4, 2, 4);
}

/* Of three for four threads each would have one, as after the others. */
static void so_many_that_each_has_one_thread_stay_at_the_end(void)
{
    check(ALIKE, 7, 4, 4, 0, 4);
}

/* Five beside each other would leave three of eight threads idle: 1, against 1 / 1.7^3 + 1 / 1.7.
 */
static void fewer_go_beside_each_other_than_may_where_threads_would_be_idle(void)
{
    check(ALIKE, 5, 5, 8, 1, 4);
    check(ALIKE, 3, 3, 4, 1, 2);
}

/* A recorded run takes 2.5 times as long: short ones go beside it. */
static void a_long_run_leaves_none_over_where_short_ones_go_beside_it(void)
{
    const double recorded[] = {2.5, 2.5, 1};
    const double uneven[] = {2, 1, 1};
    check(recorded, 3, 2, 2, 0, 2);
    check(uneven, 3, 2, 2, 0, 2);
}

SUITE_MAIN("beside", TEST(runs_that_divide_among_the_threads_go_beside_each_other),
           TEST(as_many_as_memory_is_for_go_at_once_at_most),
           TEST(those_that_would_be_left_over_go_first_on_more_threads),
           TEST(so_many_that_each_has_one_thread_stay_at_the_end),
           TEST(fewer_go_beside_each_other_than_may_where_threads_would_be_idle),
           TEST(a_long_run_leaves_none_over_where_short_ones_go_beside_it))
