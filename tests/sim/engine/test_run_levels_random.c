/* tests/sim/engine/test_run_levels_random.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The engine against the judge on machines with nodes and distance: some 2,000 programs drawn at
 * random, in all settings.
 */
#include "check.h"
#include "judged_run.h"

static const random_shape SHAPE = {
    .max_ranks = 12,
    .max_steps = 40,
    .max_cpus = 3,
    .max_nics = 3,
    .max_size = 60,
    .max_calc = 5000,
    .levels = true,
};

static void equals_the_judge_without_wildcards(void)
{
    const judged_tally t = judged_runs(700, &SHAPE);
    CHECK(t.sound > 1500, "%u", t.sound);
}

static void equals_the_judge_with_wildcards(void)
{
    random_shape shape = SHAPE;
    shape.wildcards = true;
    const judged_tally t = judged_runs(500, &shape);
    CHECK(t.sound > 1000, "%u", t.sound);
}

static void equals_the_judge_on_blocking_programs(void)
{
    random_shape shape = SHAPE;
    shape.blocking = true;
    const judged_tally t = judged_runs(200, &shape);
    CHECK(t.sound > 150, "%u", t.sound);
}

/* Either level may have no lookahead at all. */
static void equals_the_judge_when_windows_are_narrow(void)
{
    random_shape shape = SHAPE;
    shape.narrow = true;
    shape.max_ranks = 5;
    shape.max_calc = 20000;
    const judged_tally t = judged_runs(200, &shape);
    CHECK(t.sound > 300, "%u", t.sound);
}

static void equals_the_judge_when_all_happens_at_few_instants(void)
{
    random_shape shape = SHAPE;
    shape.unit = 500;
    shape.max_size = 4;
    shape.max_calc = 3000;
    for (int wildcards = 0; wildcards < 2; wildcards++) {
        shape.wildcards = wildcards == 1;
        const judged_tally t = judged_runs(200, &shape);
        CHECK(t.sound > 300, "%u", t.sound);
    }
}

static void equals_the_judge_when_the_lists_of_two_ranks_spill(void)
{
    random_shape shape = SHAPE;
    shape.wildcards = true;
    shape.max_ranks = 3;
    shape.max_steps = 60;
    shape.max_size = 4;
    shape.max_calc = 5;
    const judged_tally t = judged_runs(100, &shape);
    CHECK(t.sound > 150, "%u", t.sound);
}

static void equals_the_judge_when_everything_waits_at_once(void)
{
    random_shape shape = SHAPE;
    shape.all_at_once = true;
    shape.max_ranks = 4;
    shape.max_steps = 200;
    shape.max_calc = 50;
    const judged_tally t = judged_runs(40, &shape);
    CHECK(t.sound > 100, "%u", t.sound);
}

SUITE_MAIN("run_levels_random", TEST(equals_the_judge_without_wildcards),
           TEST(equals_the_judge_with_wildcards), TEST(equals_the_judge_on_blocking_programs),
           TEST(equals_the_judge_when_windows_are_narrow),
           TEST(equals_the_judge_when_all_happens_at_few_instants),
           TEST(equals_the_judge_when_the_lists_of_two_ranks_spill),
           TEST(equals_the_judge_when_everything_waits_at_once))
