/* tests/sim/engine/test_run_random.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine against the judge, and against itself, on some 10,000 programs drawn at random. */
#include "check.h"
#include "judge.h"
#include "observed_program.h"
#include "random_program.h"
#include "sim/error.h"
#include "sim/run.h"

#include <string.h>

#define SEED 20101113U

typedef struct setting {
    sim_progress progress;
    sim_rendezvous rendezvous;
} setting;

static const setting SETTINGS[] = {
    {SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_HANDSHAKE},
    {SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_INSTANT},
    {SIM_PROGRESS_ASYNC, SIM_RENDEZVOUS_HANDSHAKE},
    {SIM_PROGRESS_ASYNC, SIM_RENDEZVOUS_INSTANT},
};

typedef struct tally {
    unsigned sound, stuck, truncated;
} tally;

static sim_time total(const sim_breakdown *b)
{
    return b->compute + b->o + b->O + b->L + b->gap + b->peer_noise + b->noise;
}

static void check_path(const sim_result *result, const char *where)
{
    CHECK_I64(total(&result->breakdown), result->makespan, "%s", where);
    sim_time at = result->makespan;
    for (size_t i = 0; i < result->path_len; i++) { /* steps meet, from the end to 0 */
        CHECK_I64(result->path[i].finish, at, "%s, step %zu", where, i);
        CHECK(result->path[i].noise <= result->path[i].finish - result->path[i].start, "%s", where);
        at = result->path[i].start;
    }
    CHECK_I64(at, 0, "%s", where);
}

/* Each operation finished when the judge says, or not at all. */
static void check_operations(const sim_graph *graph, const sim_program *observed,
                             const sim_time *expected, const char *where)
{
    for (uint32_t r = 0; r < sim_graph_num_ranks(graph); r++) {
        for (uint32_t i = 0; i < sim_graph_num_ops(graph, r); i++) {
            CHECK_I64(observed_program_finish(observed, r, i), *expected++,
                      "%s, rank %u, operation %u", where, r, i);
        }
    }
}

static void check_program(sim_graph *graph, const sim_params *params, const sim_noise *noise,
                          const char *where, tally *t)
{
    const uint32_t num_ranks = sim_graph_num_ranks(graph);
    g_autofree sim_time *slow = g_new(sim_time, num_ranks);
    g_autofree sim_time *slow_ops = g_new(sim_time, sim_graph_total_ops(graph) + 1);
    const judge_verdict verdict = judge_run_ops(graph, params, noise, slow, slow_ops);
    const sim_run_options options = {.noise = noise, .explain = true};
    g_autoptr(GError) error = NULL;
    sim_program *program = observed_program_new(sim_graph_program(graph));
    g_autoptr(sim_result) result = sim_run(program, params, &options, &error);
    if (verdict != JUDGE_TRUNCATED) { /* else the one stops at once, the other a little later */
        check_operations(graph, program, slow_ops, where);
    }
    sim_program_free(program);
    if (!CHECK((result != NULL) == (verdict == JUDGE_SOUND), "%s: judge %d, engine: %s", where,
               verdict, error != NULL ? error->message : "sound")) {
        return;
    }
    if (result == NULL) {
        const bool truncated = verdict == JUDGE_TRUNCATED;
        *(truncated ? &t->truncated : &t->stuck) += 1;
        CHECK_I64(error->code, truncated ? SIM_ERROR_TRUNCATED : SIM_ERROR_UNMATCHED, "%s", where);
        return;
    }
    t->sound++;
    sim_time makespan = 0;
    for (uint32_t r = 0; r < num_ranks; r++) {
        CHECK_I64(result->finish[r], slow[r], "%s, rank %u of %u", where, r, num_ranks);
        makespan = MAX(makespan, slow[r]);
    }
    CHECK_I64(result->makespan, makespan, "%s", where);
    check_path(result, where);
}

static bool same_step(const sim_result_stretch *a, const sim_result_stretch *b)
{
    return a->rank == b->rank && a->op == b->op && a->type == b->type && a->start == b->start &&
           a->finish == b->finish && a->noise == b->noise;
}

/* The same with several threads: the same instants and path, or the same words about what is wrong.
 */
static void check_threads(sim_graph *graph, const sim_params *params, const sim_noise *noise,
                          unsigned threads, unsigned serial_below, const char *where)
{
    sim_run_options options = {.noise = noise, .explain = true};
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_result) one = sim_run(sim_graph_program(graph), params, &options, &error);
    options.threads = threads;
    options.serial_below = serial_below; /* 1: however small the windows are */
    g_autoptr(GError) other_error = NULL;
    g_autoptr(sim_result) all = sim_run(sim_graph_program(graph), params, &options, &other_error);
    if (one == NULL || all == NULL) {
        if (CHECK(one == all, "%s, %u threads", where, threads)) {
            CHECK_STR(other_error->message, error->message, "%s, %u threads", where, threads);
        }
        return;
    }
    CHECK_I64(all->num_ops, one->num_ops, "%s, %u threads", where, threads);
    CHECK_I64(all->num_messages, one->num_messages, "%s, %u threads", where, threads);
    for (uint32_t r = 0; r < one->num_ranks; r++) {
        CHECK_I64(all->finish[r], one->finish[r], "%s, %u threads, rank %u", where, threads, r);
    }
    CHECK_I64(memcmp(&all->breakdown, &one->breakdown, sizeof one->breakdown), 0,
              "%s, %u threads: the breakdown differs", where, threads);
    if (CHECK_I64(all->path_len, one->path_len, "%s, %u threads", where, threads)) {
        for (size_t i = 0; i < one->path_len; i++) {
            CHECK(same_step(&all->path[i], &one->path[i]), "%s, %u threads: step %zu of the path",
                  where, threads, i);
        }
    }
}

static tally run_many(unsigned n, const random_shape *shape)
{
    tally t = {0};
    const unsigned threads_every =
        shape->unit > 0 || shape->narrow ? 16 : 128; /* they cost more than the rest */
    for (unsigned k = 0; k < n; k++) {
        GRand *random = g_rand_new_with_seed(SEED + k);
        random_shape s = *shape;
        s.max_cpus = 1 + k % shape->max_cpus;
        s.max_nics = 1 + k / 2 % shape->max_nics;
        s.exact = k % 4 == 3;
        g_autoptr(sim_graph) graph = random_program(random, &s);
        sim_params params = s.unit > 0 ? random_coarse_params(random, s.unit)
                            : s.narrow ? random_narrow_params(random)
                                       : random_params(random, s.max_size);
        const periodic_noise noise = random_noise(random);
        g_rand_free(random);
        for (size_t i = 0; i < G_N_ELEMENTS(SETTINGS); i++) {
            params.progress = SETTINGS[i].progress;
            params.rendezvous = SETTINGS[i].rendezvous;
            for (int noisy = 0; noisy < 2; noisy++) {
                g_autofree char *where = g_strdup_printf("seed %u, setting %zu, %s", SEED + k, i,
                                                         noisy ? "noisy" : "quiet");
                check_program(graph, &params, noisy ? &noise.noise : NULL, where, &t);
                if (k % threads_every == 2 * i + (unsigned)noisy) {
                    check_threads(graph, &params, noisy ? &noise.noise : NULL,
                                  2 + k / threads_every % 3, 1 + k / threads_every / 3 % 3, where);
                }
            }
        }
    }
    fprintf(stderr, "[%u come to their end, %u do not, %u have receives too small] ", t.sound,
            t.stuck, t.truncated);
    return t;
}

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
    const tally t = run_many(4000, &SHAPE);
    CHECK(t.sound > 14000);
}

static void equals_the_judge_with_wildcards(void)
{
    random_shape shape = SHAPE;
    shape.wildcards = true;
    const tally t = run_many(3600, &shape);
    CHECK(t.sound > 11000);
}

static void equals_the_judge_where_wildcards_compete(void)
{
    random_shape shape = SHAPE;
    shape.loose = true;
    shape.max_ranks = 4;
    const tally t = run_many(800, &shape);
    CHECK(t.sound > 1000 && t.stuck > 1000, "%u", t.sound);
}

/* Work of one CPU goes on while messages wake the others: thousands of windows ahead. */
static void equals_the_judge_when_windows_are_narrow(void)
{
    random_shape shape = SHAPE;
    shape.narrow = true;
    shape.max_ranks = 5;
    shape.max_calc = 20000;
    const tally t = run_many(600, &shape);
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
    const tally t = run_many(1500, &shape);
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
        const tally t = run_many(18, &shape);
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
        const tally t = run_many(1600, &shape);
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
    const tally t = run_many(60, &shape);
    CHECK(t.sound > 250, "%u", t.sound);
}

static void equals_the_judge_on_blocking_programs(void)
{
    random_shape shape = SHAPE;
    shape.blocking = true;
    const tally t = run_many(1000, &shape);
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
