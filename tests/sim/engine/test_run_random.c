/* tests/sim/engine/test_run_random.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine against the judge, and against itself, on some 10,000 programs drawn at random. */
#include "check.h"
#include "judged_run.h"
#include "judged_shapes.h"
#include "seeds.h"

static void equals_the_judge_without_wildcards(void)
{
    const judged_tally t = judged_runs(SEEDS(4000), &SHAPE_PLAIN);
    CHECK(t.sound > SEEDS(14000));
}

static void equals_the_judge_with_wildcards(void)
{
    const random_shape shape = shape_of_wildcards(SHAPE_PLAIN);
    const judged_tally t = judged_runs(SEEDS(3600), &shape);
    CHECK(t.sound > SEEDS(11000));
}

static void equals_the_judge_where_wildcards_compete(void)
{
    const random_shape shape = shape_of_competing_wildcards(SHAPE_PLAIN);
    const judged_tally t = judged_runs(SEEDS(800), &shape);
    CHECK(t.sound > SEEDS(1000) && t.stuck > SEEDS(1000), "%u", t.sound);
}

static void equals_the_judge_when_windows_are_narrow(void)
{
    const random_shape shape = shape_of_narrow_windows(SHAPE_PLAIN);
    const judged_tally t = judged_runs(SEEDS(600), &shape);
    CHECK(t.sound > SEEDS(2000), "%u", t.sound);
}

static void equals_the_judge_when_the_lists_of_two_ranks_spill(void)
{
    const random_shape shape = shape_of_spilling_lists(SHAPE_PLAIN);
    const judged_tally t = judged_runs(SEEDS(1500), &shape);
    CHECK(t.sound > SEEDS(3000));
}

static void equals_the_judge_when_everything_waits_at_once(void)
{
    random_shape shape = shape_of_all_waiting(SHAPE_PLAIN, 400);
    for (int wildcards = 0; wildcards < 2; wildcards++) {
        shape.wildcards = wildcards == 1;
        const judged_tally t = judged_runs(SEEDS(18), &shape);
        CHECK(t.sound > SEEDS(90));
    }
}

static void equals_the_judge_when_all_happens_at_few_instants(void)
{
    for (int wildcards = 0; wildcards < 2; wildcards++) {
        random_shape shape = SHAPE_PLAIN;
        shape.wildcards = wildcards == 1;
        shape = shape_of_few_instants(shape);
        const judged_tally t = judged_runs(SEEDS(1600), &shape);
        CHECK(t.sound > SEEDS(6000), "%u", t.sound);
    }
}

static void equals_the_judge_when_something_follows_what_waits(void)
{
    const random_shape shape = shape_of_sparse_programs(SHAPE_PLAIN);
    const judged_tally t = judged_runs(SEEDS(60), &shape);
    CHECK(t.sound > SEEDS(250), "%u", t.sound);
}

/* Sends become ready one by one and several at once, in and out of order, and few come first. */
static void equals_the_judge_when_one_cpu_has_much_to_send(void)
{
    for (int wildcards = 0; wildcards < 2; wildcards++) {
        random_shape shape = shape_of_one_cpu(SHAPE_PLAIN);
        shape.wildcards = wildcards == 1;
        judged_tally t = judged_runs(SEEDS(1200), &shape);
        CHECK(t.sound > SEEDS(3000), "%u", t.sound);
        shape = shape_of_sparse_programs(shape);
        t = judged_runs(SEEDS(90), &shape);
        CHECK(t.sound > SEEDS(250), "%u", t.sound);
    }
}

static void equals_the_judge_on_blocking_programs(void)
{
    const random_shape shape = shape_of_blocking(SHAPE_PLAIN);
    const judged_tally t = judged_runs(SEEDS(1000), &shape);
    CHECK(t.sound > SEEDS(1700));
}

SUITE_MAIN("run_random", TEST(equals_the_judge_without_wildcards),
           TEST(equals_the_judge_with_wildcards), TEST(equals_the_judge_where_wildcards_compete),
           TEST(equals_the_judge_when_windows_are_narrow),
           TEST(equals_the_judge_when_the_lists_of_two_ranks_spill),
           TEST(equals_the_judge_when_everything_waits_at_once),
           TEST(equals_the_judge_when_all_happens_at_few_instants),
           TEST(equals_the_judge_when_something_follows_what_waits),
           TEST(equals_the_judge_when_one_cpu_has_much_to_send),
           TEST(equals_the_judge_on_blocking_programs))
