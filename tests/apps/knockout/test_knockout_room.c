/* tests/apps/knockout/test_knockout_room.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "knockout/knockout_room.h"

#include <math.h>

/* A pace at which a unit of work takes a second, with @p left of it. The clock goes on meanwhile,
 * so the numbers below keep their distance from the limits. */
static app_pace pace_with(double left)
{
    app_pace pace = app_pace_new(left);
    pace.per_work = 1;
    return pace;
}

static const app_knockout_load GROWING[] = {{64, 100}, {256, 400}, {1024, 1600}, {4096, 6400}};

/* Four components; the seconds that are left, the size, and of how many components. */
static void the_largest_size_comes_before_those_below_it(void)
{
    static const struct {
        double left;
        size_t i;
        size_t want;
    } ROWS[] = {
        {9000, 1, 4},                             /* all that is left has room */
        {9000, 2, 4}, {9000, 3, 4}, {6900, 1, 4}, /* and the largest as a whole */
        {6900, 2, 4},                             /* the largest with half of them */
        {5000, 2, 4}, {4700, 2, 0}, /* then not even half of the largest would be left */
        {4700, 3, 2}, {4900, 3, 3}, {6500, 3, 4}, {3100, 3, 0}, /* less than half is not worth it */
        {3100, 2, 4}, /* so the size below is the largest that can be had */
        {1500, 2, 3}, {1500, 1, 4}, {1150, 1, 0}, {310, 1, 3},  {150, 1, 0},
    };
    for (size_t r = 0; r < G_N_ELEMENTS(ROWS); r++) {
        const app_pace pace = pace_with(ROWS[r].left);
        const size_t got = app_knockout_room(&pace, GROWING, 4, ROWS[r].i, 4, false);
        CHECK(got == ROWS[r].want, "%g s, size %zu: %zu", ROWS[r].left, ROWS[r].i, got);
    }
}

/* Of two series of one size, the first does not use up the time of the second. */
static void both_modes_of_a_size_share_its_time(void)
{
    static const app_knockout_load LOADS[] = {{64, 100}, {64, 100}, {256, 400}, {256, 400}};
    const app_pace pace = pace_with(650);
    CHECK_I64((int64_t)app_knockout_room(&pace, LOADS, 4, 2, 4, false), 3);
    CHECK_I64((int64_t)app_knockout_room(&pace, LOADS, 4, 3, 4, false), 4);
}

static void pairs_need_all_components(void)
{
    const app_pace pace = pace_with(4900);
    CHECK_I64((int64_t)app_knockout_room(&pace, GROWING, 4, 3, 4, true), 0);
}

static void the_first_size_and_time_without_end_have_room_for_all(void)
{
    app_pace pace = app_pace_new(1e-9);
    CHECK_I64((int64_t)app_knockout_room(&pace, GROWING, 4, 0, 4, false), 4);
    pace = pace_with(INFINITY);
    CHECK_I64((int64_t)app_knockout_room(&pace, GROWING, 4, 2, 4, true), 4);
}

SUITE_MAIN("knock-out's room", TEST(the_largest_size_comes_before_those_below_it),
           TEST(both_modes_of_a_size_share_its_time), TEST(pairs_need_all_components),
           TEST(the_first_size_and_time_without_end_have_room_for_all))
