/* tests/sim/engine/test_run_passes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes that are known from one that was simulated, against the run of all. */
#include "check.h"
#include "few_trial.h"
#include "random_levels.h"
#include "random_program.h"
#include "seeds.h"
#include "sim/error.h"
#include "sim/graph_repeat.h"

#define SEED 20261128U

enum { PROGRAMS = SEEDS(400) };

static const random_shape SHAPE = {
    .max_ranks = 6,
    .max_steps = 14,
    .max_cpus = 3,
    .max_nics = 3,
    .max_size = 60,
    .max_calc = 5000,
};

/* What the rule asks for; every case must be the same, whether or not it is. */
static sim_params fitting(sim_params params)
{
    params.progress = SIM_PROGRESS_POLLING;
    params.rendezvous = SIM_RENDEZVOUS_HANDSHAKE;
    params.L = params.L > 0 ? params.L : 1;
    return params;
}

/* As all ranks see it. A pass meets some @p rarely-th of it. */
static periodic_noise common_noise(GRand *random, int rarely)
{
    periodic_noise noise = random_noise(random);
    noise.shift = 0;
    noise.noise.same = true;
    noise.period *= rarely;
    return noise;
}

typedef struct tally {
    unsigned some; /* runs of which passes were known */
    uint64_t simulated;
} tally;

static void count(tally *t, uint32_t simulated)
{
    t->some += simulated > 0;
    t->simulated += simulated;
}

static void compare_copies(sim_graph *graph, uint32_t copies, uint32_t passes,
                           const sim_params *params, const sim_run_options *options,
                           const char *where, tally *t)
{
    sim_program *program = sim_graph_repeat_new(graph, copies, passes, NULL);
    count(t, few_trial_compare(program, params, options, where).passes);
    sim_program_free(program);
}

static tally compare_many(const random_shape *shape, bool fits, int rarely)
{
    tally t = {0};
    for (unsigned k = 0; k < PROGRAMS; k++) {
        GRand *random = g_rand_new_with_seed(SEED + k);
        random_shape s = *shape;
        s.max_cpus = 1 + k % shape->max_cpus;
        s.max_nics = 1 + k / 2 % shape->max_nics;
        g_autoptr(sim_graph) graph = random_program(random, &s);
        sim_params params =
            s.unit > 0 ? random_coarse_params(random, s.unit) : random_params(random, s.max_size);
        params = fits ? fitting(params) : params;
        const periodic_noise noise = common_noise(random, MAX(rarely, 1));
        const uint32_t copies = 1 + g_rand_int(random) % 3;
        const uint32_t passes = 2 + g_rand_int(random) % 60;
        const sim_run_options options = {.noise = rarely > 0 ? &noise.noise : NULL,
                                         .threads = k % 16 == 0 ? 3 : 1,
                                         .serial_below = 1};
        g_autofree char *where =
            g_strdup_printf("seed %u, %u copies, %u passes", SEED + k, copies, passes);
        compare_copies(graph, copies, passes, &params, &options, where, &t);
        g_rand_free(random);
    }
    return t;
}

static void ideal_runs_are_the_same(void)
{
    const tally t = compare_many(&SHAPE, true, 0);
    CHECK(t.some > PROGRAMS / 3 && t.simulated < UINT64_C(8) * t.some,
          "%u runs, %" G_GUINT64_FORMAT, t.some, t.simulated);
    random_shape coarse = SHAPE;
    coarse.unit = 500; /* much at one instant */
    (void)compare_many(&coarse, true, 0);
}

static void runs_under_common_noise_are_the_same(void)
{
    static const int rarely[] = {1, 30, 1000};
    for (size_t i = 0; i < G_N_ELEMENTS(rarely); i++) {
        const tally t = compare_many(&SHAPE, true, rarely[i]);
        CHECK(rarely[i] == 1 || t.some > PROGRAMS / 4, "%d: %u runs", rarely[i], t.some);
    }
}

static void all_other_settings_are_the_same(void)
{
    (void)compare_many(&SHAPE, false, 0);
    (void)compare_many(&SHAPE, false, 100);
    random_shape shape = SHAPE;
    shape.wildcards = true;
    const tally t = compare_many(&shape, true, 0);
    CHECK(t.some < PROGRAMS, "%u", t.some); /* only where none was drawn */
    shape = SHAPE;
    shape.loose = true; /* some get stuck, and say the same */
    shape.wildcards = false;
    (void)compare_many(&shape, true, 0);
}

static void machines_with_levels_are_the_same(void)
{
    tally t = {0};
    for (unsigned k = 0; k < PROGRAMS / 2; k++) {
        GRand *random = g_rand_new_with_seed(SEED + k);
        g_autoptr(sim_graph) graph = random_program(random, &SHAPE);
        const sim_params params = fitting(random_params(random, SHAPE.max_size));
        const sim_params within = fitting(random_params(random, SHAPE.max_size));
        g_autoptr(random_levels) levels =
            random_levels_new(random, sim_graph_num_ranks(graph), &within, 0);
        const sim_run_options options = {.levels = &levels->engine};
        g_autofree char *where = g_strdup_printf("seed %u", SEED + k);
        compare_copies(graph, 1, 20, &params, &options, where, &t);
        g_rand_free(random);
    }
    CHECK(t.some > PROGRAMS / 6, "%u", t.some);
}

/* ---- by hand ---- */

static uint32_t add(sim_graph_builder *b, sim_op_type type, int64_t size, uint32_t peer)
{
    const sim_op op = {.type = (uint8_t)type, .size = size, .peer = peer};
    return sim_graph_builder_add(b, &op);
}

/* Rank 0 computes, sends to rank 1; rank 1 receives, and computes for longer. Rank 2 is idle. */
static sim_graph *pipeline(void)
{
    sim_graph_builder *b = sim_graph_builder_new(3);
    sim_graph_builder_begin_rank(b, 0);
    (void)add(b, SIM_OP_CALC, 1000, 0);
    (void)add(b, SIM_OP_SEND, 8, 1);
    sim_graph_builder_require(b, 1, 0);
    sim_graph_builder_begin_rank(b, 1);
    (void)add(b, SIM_OP_RECV, 8, 0);
    (void)add(b, SIM_OP_CALC, 3000, 0);
    sim_graph_builder_require(b, 1, 0);
    return sim_graph_builder_finish(b, NULL);
}

/* Pass k of rank 0 ends at 1100 (k + 1), of rank 1 at 1100 + 5000 + 3100 (k + 1): they stand
 * further apart each time, so no pass is like another. */
static void ranks_that_drift_apart_are_run(void)
{
    enum { PASSES = 50 };
    static const sim_params params = {.L = 5000, .o = 100, .S = 65535};
    g_autoptr(sim_graph) graph = pipeline();
    sim_program *program = sim_graph_repeat_new(graph, 1, PASSES, NULL);
    const sim_run_options options = {.symmetry = true};
    CHECK_I64(few_trial_compare(program, &params, &options, "drift").passes, 0);
    g_autoptr(sim_result) result = sim_run(program, &params, &options, NULL);
    CHECK_I64(result->finish[0], 1100 * PASSES);
    CHECK_I64(result->finish[1], 1100 + 5000 + 3100 * PASSES);
    CHECK_I64(result->finish[2], 0);
    sim_program_free(program);
}

/* Every pass but the first begins where rank 1 has answered: two are run, of a million. */
static void a_million_passes_take_two(void)
{
    enum { PASSES = 1000000 };
    static const sim_params params = {.L = 5000, .o = 100, .S = 65535};
    sim_graph_builder *b = sim_graph_builder_new(2);
    for (uint32_t r = 0; r < 2; r++) {
        sim_graph_builder_begin_rank(b, r);
        (void)add(b, r == 0 ? SIM_OP_SEND : SIM_OP_RECV, 8, 1 - r);
        (void)add(b, r == 0 ? SIM_OP_RECV : SIM_OP_SEND, 8, 1 - r);
        sim_graph_builder_require(b, 1, 0);
    }
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    sim_program *program = sim_graph_repeat_new(graph, 1, PASSES, NULL);
    const sim_run_options options = {.symmetry = true};
    g_autoptr(sim_result) result = sim_run(program, &params, &options, NULL);
    CHECK_I64(result->simulated_passes, 2);
    /* There and back: two times o, L and o. */
    CHECK_I64(result->makespan, INT64_C(10400) * PASSES);
    CHECK_I64(result->num_messages, 2 * PASSES);
    sim_program_free(program);
}

static void what_passes_the_end_of_time_is_named(void)
{
    static const sim_params params = {.L = 5000, .o = 100, .S = 65535};
    sim_graph_builder *b = sim_graph_builder_new(1);
    sim_graph_builder_begin_rank(b, 0);
    (void)add(b, SIM_OP_CALC, SIM_TIME_MAX / 10, 0);
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    const sim_run_options options = {.symmetry = true};
    for (uint32_t passes = 9; passes <= 12; passes++) {
        sim_program *program = sim_graph_repeat_new(graph, 1, passes, NULL);
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_result) result = sim_run(program, &params, &options, &error);
        CHECK(passes <= 10 ? result != NULL : g_error_matches(error, SIM_ERROR, SIM_ERROR_OVERFLOW),
              "%u passes", passes);
        (void)few_trial_compare(program, &params, &options, "end of time");
        sim_program_free(program);
    }
}

/* ---- the watch ---- */

typedef struct counting {
    sim_watch watch;
    uint64_t before; /* operations at the last look */
    unsigned looks, most;
    bool fell;
} counting;

static bool look(sim_watch *watch, uint64_t num_ops, sim_time now)
{
    counting *c = (counting *)(void *)watch;
    (void)now;
    c->fell |= num_ops < c->before;
    c->before = num_ops;
    return ++c->looks <= c->most;
}

static void the_watch_is_asked_and_may_end_it(void)
{
    static const sim_params params = {.L = 5000, .o = 100, .S = 65535};
    sim_graph_builder *b = sim_graph_builder_new(1);
    sim_graph_builder_begin_rank(b, 0);
    (void)add(b, SIM_OP_CALC, 1000, 0);
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    sim_program *program = sim_graph_repeat_new(graph, 1, 100000, NULL);
    /* Every fifth pass meets a detour, and none is long enough for its own run to look. */
    const periodic_noise noise = {
        .noise = {.finish = periodic_noise_finish, .same = true}, .period = 5000, .length = 100};
    for (unsigned i = 0; i < 4; i++) {
        const unsigned most = i % 2;
        counting c = {.watch = {look}, .most = most == 0 ? 0 : UINT_MAX};
        const sim_run_options options = {
            .symmetry = true, .watch = &c.watch, .noise = i < 2 ? NULL : &noise.noise};
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_result) result = sim_run(program, &params, &options, &error);
        CHECK(!c.fell && c.looks > 0 && c.before <= 100000, "%u looks", c.looks);
        CHECK(most == 0 ? g_error_matches(error, SIM_ERROR, SIM_ERROR_STOPPED) : result != NULL);
    }
    sim_program_free(program);
}

SUITE_MAIN("run_passes", TEST(ideal_runs_are_the_same), TEST(runs_under_common_noise_are_the_same),
           TEST(all_other_settings_are_the_same), TEST(machines_with_levels_are_the_same),
           TEST(ranks_that_drift_apart_are_run), TEST(a_million_passes_take_two),
           TEST(what_passes_the_end_of_time_is_named), TEST(the_watch_is_asked_and_may_end_it))
