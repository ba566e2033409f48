/* tests/sim/engine/test_run_random.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine against the judge, and against itself, on some 10,000 programs drawn at random. */
#include "check.h"
#include "judged_run.h"

static const random_shape SHAPE = {
    .max_ranks = 12,
    .max_steps = 40,
    .max_cpus = 3,
    .max_nics = 3,
    .max_size = 60,
    .max_calc = 5000,
};

static void equals_the_judge_without_wildcards(void)
{
    const judged_tally t = judged_runs(4000, &SHAPE);
    CHECK(t.sound > 14000);
}

static void equals_the_judge_with_wildcards(void)
{
    random_shape shape = SHAPE;
    shape.wildcards = true;
    const judged_tally t = judged_runs(3600, &shape);
    CHECK(t.sound > 11000);
}

static void equals_the_judge_where_wildcards_compete(void)
{
    random_shape shape = SHAPE;
    shape.loose = true;
    shape.max_ranks = 4;
    const judged_tally t = judged_runs(800, &shape);
    CHECK(t.sound > 1000 && t.stuck > 1000, "%u", t.sound);
}

/* Work of one CPU goes on while messages wake the others: thousands of windows ahead. */
static void equals_the_judge_when_windows_are_narrow(void)
{
    random_shape shape = SHAPE;
    shape.narrow = true;
    shape.max_ranks = 5;
    shape.max_calc = 20000;
    const judged_tally t = judged_runs(600, &shape);
    CHECK(t.sound > 2000, "%u", t.sound);
}

static void equals_the_judge_when_the_lists_of_two_ranks_spill(void)
{
    random_shape shape = SHAPE;
    shape.wildcards = true;
    shape.max_ranks = 3;
    shape.max_steps = 60;
    shape.max_size = 4;
    shape.max_calc = 5;
    const judged_tally t = judged_runs(1500, &shape);
    CHECK(t.sound > 3000);
}

static void equals_the_judge_when_everything_waits_at_once(void)
{
    random_shape shape = SHAPE;
    shape.all_at_once = true;
    shape.max_ranks = 4;
    shape.max_steps = 400;
    shape.max_calc = 50;
    for (int wildcards = 0; wildcards < 2; wildcards++) {
        shape.wildcards = wildcards == 1;
        const judged_tally t = judged_runs(18, &shape);
        CHECK(t.sound > 90);
    }
}

/* Sends are held, released by lower and by higher ranks, and go on, all at the same few instants.
 */
static void equals_the_judge_when_all_happens_at_few_instants(void)
{
    random_shape shape = SHAPE;
    shape.unit = 500;
    shape.max_size = 4;
    for (int wildcards = 0; wildcards < 2; wildcards++) {
        shape.wildcards = wildcards == 1;
        shape.max_calc = wildcards == 1 ? 1500 : 3000;
        const judged_tally t = judged_runs(1600, &shape);
        CHECK(t.sound > 6000, "%u", t.sound);
    }
}

static void equals_the_judge_when_something_follows_what_waits(void)
{
    random_shape shape = SHAPE;
    shape.sparse = true;
    shape.unit = 500;
    shape.max_ranks = 4;
    shape.max_steps = 300;
    shape.max_size = 4;
    shape.max_calc = 3000;
    const judged_tally t = judged_runs(60, &shape);
    CHECK(t.sound > 250, "%u", t.sound);
}

static void equals_the_judge_on_blocking_programs(void)
{
    random_shape shape = SHAPE;
    shape.blocking = true;
    const judged_tally t = judged_runs(1000, &shape);
    CHECK(t.sound > 1700);
}

SUITE_MAIN("run_random", TEST(equals_the_judge_without_wildcards),
           TEST(equals_the_judge_with_wildcards), TEST(equals_the_judge_where_wildcards_compete),
           TEST(equals_the_judge_when_windows_are_narrow),
           TEST(equals_the_judge_when_the_lists_of_two_ranks_spill),
           TEST(equals_the_judge_when_everything_waits_at_once),
           TEST(equals_the_judge_when_all_happens_at_few_instants),
           TEST(equals_the_judge_when_something_follows_what_waits),
           TEST(equals_the_judge_on_blocking_programs))
