/* tests/sim/engine/test_run_order.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instant rendezvous: releases that cause each other on several ranks at one instant, against the
 * judge. (The same with all kinds of programs: test_run_random.)
 */
#include "check.h"
#include "judged_run.h"
#include "judged_shapes.h"
#include "seeds.h"
#include "small_run.h"

/* One CPU and interface; nearly all messages are held, and nearly all happens at few instants. */
static random_shape shape_of_trains(uint32_t max_ranks, uint32_t max_steps)
{
    random_shape shape = shape_of_few_instants(SHAPE_PLAIN);
    shape.max_ranks = max_ranks;
    shape.max_steps = max_steps;
    shape.max_cpus = 1;
    shape.max_nics = 1;
    shape.max_calc = 1000;
    return shape;
}

static void equals_the_judge_when_releases_cause_releases(void)
{
    const random_shape shape = shape_of_trains(8, 80);
    const judged_tally t = judged_runs(SEEDS(300), &shape);
    CHECK(t.sound > SEEDS(1000), "%u", t.sound);
}

static void equals_the_judge_when_two_ranks_release_each_other(void)
{
    const random_shape shape = shape_of_trains(3, 60);
    const judged_tally t = judged_runs(SEEDS(300), &shape);
    CHECK(t.sound > SEEDS(1000), "%u", t.sound);
}

static void equals_the_judge_when_blocking_sends_are_released(void)
{
    const random_shape shape = shape_of_blocking(shape_of_trains(8, 80));
    const judged_tally t = judged_runs(SEEDS(300), &shape);
    CHECK(t.sound > SEEDS(500), "%u", t.sound);
}

static void equals_the_judge_when_sends_of_full_lists_are_released(void)
{
    random_shape shape = shape_of_trains(3, 200);
    shape.sparse = true;
    const judged_tally t = judged_runs(SEEDS(30), &shape);
    CHECK(t.sound > SEEDS(60), "%u", t.sound);
}

enum { RANKS = 64, LATE = 1000000 };

/* Each rank sends to the next, then receives from the one before; the last receives late. */
static sim_graph *falling_row(void)
{
    sim_graph_builder *b = sim_graph_builder_new(RANKS);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        sim_graph_builder_begin_rank(b, rank);
        const uint32_t first = rank + 1 < RANKS ? small_add(b, SIM_OP_SEND, rank + 1, 8, 0)
                                                : small_add(b, SIM_OP_CALC, 0, LATE, 0);
        if (rank > 0) {
            const uint32_t receive = small_add(b, SIM_OP_RECV, rank - 1, 8, 0);
            sim_graph_builder_require(b, receive, first);
        }
    }
    return sim_graph_builder_finish(b, NULL);
}

/*
 * async: the messages have long been accepted when the last rank posts its receive. That releases
 * the rank before, which posts its own at that instant, and so on down to the first.
 */
static void a_row_falls_at_one_instant(void)
{
    const sim_params params = {.L = 1000,
                               .o = 100,
                               .g = 50,
                               .S = 0,
                               .progress = SIM_PROGRESS_ASYNC,
                               .rendezvous = SIM_RENDEZVOUS_INSTANT};
    g_autoptr(sim_graph) graph = falling_row();
    for (unsigned threads = 1; threads <= 4; threads++) {
        const sim_run_options options = {.threads = threads, .serial_below = 1};
        g_autoptr(sim_result) result = small_run(graph, &params, &options);
        for (uint32_t r = 0; result != NULL && r < RANKS; r++) {
            /* the last rank's calc goes before the message, which takes o of its CPU after that */
            CHECK_I64(result->finish[r], r + 1 < RANKS ? LATE : LATE + 100, "rank %u", r);
        }
    }
}

SUITE_MAIN("run_order", TEST(equals_the_judge_when_releases_cause_releases),
           TEST(equals_the_judge_when_two_ranks_release_each_other),
           TEST(equals_the_judge_when_blocking_sends_are_released),
           TEST(equals_the_judge_when_sends_of_full_lists_are_released),
           TEST(a_row_falls_at_one_instant))
