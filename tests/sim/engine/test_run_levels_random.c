/* tests/sim/engine/test_run_levels_random.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The engine against the judge on machines with nodes and distance: some 2,000 programs drawn at
 * random, in all settings.
 */
#include "check.h"
#include "judged_run.h"
#include "judged_shapes.h"
#include "seeds.h"

static const random_shape SHAPE = {JUDGED_SHAPE, .levels = true};

static void equals_the_judge_without_wildcards(void)
{
    const judged_tally t = judged_runs(SEEDS(700), &SHAPE);
    CHECK(t.sound > SEEDS(1500), "%u", t.sound);
}

static void equals_the_judge_with_wildcards(void)
{
    const random_shape shape = shape_of_wildcards(SHAPE);
    const judged_tally t = judged_runs(SEEDS(500), &shape);
    CHECK(t.sound > SEEDS(1000), "%u", t.sound);
}

static void equals_the_judge_on_blocking_programs(void)
{
    const random_shape shape = shape_of_blocking(SHAPE);
    const judged_tally t = judged_runs(SEEDS(200), &shape);
    CHECK(t.sound > SEEDS(150), "%u", t.sound);
}

/* Either level may have no lookahead at all. */
static void equals_the_judge_when_windows_are_narrow(void)
{
    const random_shape shape = shape_of_narrow_windows(SHAPE);
    const judged_tally t = judged_runs(SEEDS(200), &shape);
    CHECK(t.sound > SEEDS(300), "%u", t.sound);
}

static void equals_the_judge_when_all_happens_at_few_instants(void)
{
    for (int wildcards = 0; wildcards < 2; wildcards++) {
        random_shape shape = SHAPE;
        shape.wildcards = wildcards == 1;
        shape = shape_of_few_instants(shape);
        const judged_tally t = judged_runs(SEEDS(200), &shape);
        CHECK(t.sound > SEEDS(300), "%u", t.sound);
    }
}

static void equals_the_judge_when_the_lists_of_two_ranks_spill(void)
{
    const random_shape shape = shape_of_spilling_lists(SHAPE);
    const judged_tally t = judged_runs(SEEDS(100), &shape);
    CHECK(t.sound > SEEDS(150), "%u", t.sound);
}

static void equals_the_judge_when_everything_waits_at_once(void)
{
    const random_shape shape = shape_of_all_waiting(SHAPE, 200);
    const judged_tally t = judged_runs(SEEDS(40), &shape);
    CHECK(t.sound > SEEDS(100), "%u", t.sound);
}

SUITE_MAIN("run_levels_random", TEST(equals_the_judge_without_wildcards),
           TEST(equals_the_judge_with_wildcards), TEST(equals_the_judge_on_blocking_programs),
           TEST(equals_the_judge_when_windows_are_narrow),
           TEST(equals_the_judge_when_all_happens_at_few_instants),
           TEST(equals_the_judge_when_the_lists_of_two_ranks_spill),
           TEST(equals_the_judge_when_everything_waits_at_once))
