/* tests/noise/places/test_place_programs.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The engine with noise by place against the judge with the oracle: 2,000 programs drawn at random,
 * on nodes of any placement, with and without levels.
 */
#include "any_noise.h"
#include "check.h"
#include "judge.h"
#include "noise/injection.h"
#include "noise_oracle.h"
#include "random_levels.h"
#include "random_program.h"
#include "sim/run.h"

#define SEED 20101113U

static const random_shape SHAPE = {
    .max_ranks = 12,
    .max_steps = 40,
    .max_cpus = 3,
    .max_nics = 3,
    .max_size = 60,
    .max_calc = 5000,
};

static uint32_t below(GRand *random, int n)
{
    return (uint32_t)g_rand_int_range(random, 0, n);
}

/* @return whether the program came to its end */
static bool check_one(GRand *random, const random_shape *shape, const char *where)
{
    sim_graph *graph = random_program(random, shape);
    const uint32_t ranks = sim_graph_num_ranks(graph);
    const sim_params params = random_params(random, shape->max_size);
    const sim_params within = random_params(random, shape->max_size);
    g_autoptr(random_levels) levels = random_levels_new(random, ranks, &within, 0);
    const bool has_levels = below(random, 2) == 0;
    const noise_injection_options how = any_noise_options(random, 3, &levels->engine.placement);
    g_autoptr(noise_signature) signature = any_noise(random);
    g_autoptr(noise_injection) injection = noise_injection_new(signature, ranks, &how);
    const sim_run_options options = {.noise = noise_injection_hook(injection),
                                     .levels = has_levels ? &levels->engine : NULL};
    g_autoptr(sim_result) result = sim_run(sim_graph_program(graph), &params, &options, NULL);
    if (result != NULL) {
        g_autoptr(noise_oracle) oracle =
            noise_oracle_new(signature, ranks, &how, result->makespan + 10000);
        g_autofree sim_time *finish = g_new(sim_time, ranks);
        g_autofree sim_time *ops = g_new(sim_time, sim_graph_total_ops(graph) + 1);
        const judge_verdict verdict =
            judge_run_ops(graph, &params, has_levels ? &levels->judge : NULL,
                          noise_oracle_hook(oracle), finish, ops);
        CHECK_I64(verdict, JUDGE_SOUND, "%s: %s", where, noise_signature_text(signature));
        for (uint32_t r = 0; r < ranks; r++) {
            CHECK_I64(result->finish[r], finish[r], "%s: %s, rank %u of %u", where,
                      noise_signature_text(signature), r, ranks);
        }
    }
    sim_graph_free(graph);
    return result != NULL;
}

static unsigned check_many(unsigned n, const random_shape *shape, unsigned seed)
{
    unsigned sound = 0;
    for (unsigned i = 0; i < n; i++) {
        g_autoptr(GRand) random = g_rand_new_with_seed(seed + i);
        g_autofree char *where = g_strdup_printf("program %u", seed + i);
        sound += check_one(random, shape, where);
    }
    return sound;
}

static void the_engine_equals_the_judge(void)
{
    CHECK(check_many(1400, &SHAPE, SEED) > 1200);
}

static void the_engine_equals_the_judge_with_wildcards(void)
{
    random_shape shape = SHAPE;
    shape.wildcards = true;
    CHECK(check_many(600, &shape, SEED + 10000) > 400);
}

SUITE_MAIN("place_programs", TEST(the_engine_equals_the_judge),
           TEST(the_engine_equals_the_judge_with_wildcards))
