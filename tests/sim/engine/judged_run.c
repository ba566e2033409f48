/* tests/sim/engine/judged_run.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_random, test_run_levels_random. */
#include "judged_run.h"

#include "check.h"
#include "judge.h"
#include "observed_program.h"
#include "random_levels.h"
#include "sim/error.h"
#include "sim/run.h"

#include <string.h>

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

static sim_time total(const sim_breakdown *b)
{
    return b->compute + b->o + b->O + b->L + b->gap + b->node + b->peer_noise + b->noise;
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

/* The same without a record: other turns are compiled for that. */
static void check_unwatched(sim_graph *graph, const sim_params *params,
                            const sim_run_options *options, const sim_result *watched,
                            const char *where)
{
    sim_run_options plain = *options;
    plain.explain = false;
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_result) result = sim_run(sim_graph_program(graph), params, &plain, &error);
    if (CHECK(result != NULL, "%s: %s", where, error != NULL ? error->message : "")) {
        for (uint32_t r = 0; r < result->num_ranks; r++) {
            CHECK_I64(result->finish[r], watched->finish[r], "%s, unwatched, rank %u", where, r);
        }
    }
}

static void check_program(sim_graph *graph, const sim_params *params, const random_levels *levels,
                          const sim_noise *noise, const char *where, judged_tally *t)
{
    const uint32_t num_ranks = sim_graph_num_ranks(graph);
    g_autofree sim_time *slow = g_new(sim_time, num_ranks);
    g_autofree sim_time *slow_ops = g_new(sim_time, sim_graph_total_ops(graph) + 1);
    const judge_verdict verdict =
        judge_run_ops(graph, params, levels != NULL ? &levels->judge : NULL, noise, slow, slow_ops);
    const sim_run_options options = {
        .noise = noise, .explain = true, .levels = levels != NULL ? &levels->engine : NULL};
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
    check_unwatched(graph, params, &options, result, where);
}

static bool same_step(const sim_result_stretch *a, const sim_result_stretch *b)
{
    return a->rank == b->rank && a->op == b->op && a->type == b->type && a->start == b->start &&
           a->finish == b->finish && a->noise == b->noise;
}

/* The same with several threads: the same instants and path, or the same words about what is wrong.
 */
static void check_threads(sim_graph *graph, const sim_params *params, const random_levels *levels,
                          const sim_noise *noise, unsigned threads, unsigned serial_below,
                          const char *where)
{
    sim_run_options options = {
        .noise = noise, .explain = true, .levels = levels != NULL ? &levels->engine : NULL};
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
    check_unwatched(graph, params, &options, one, where);
    CHECK_I64(memcmp(&all->breakdown, &one->breakdown, sizeof one->breakdown), 0,
              "%s, %u threads: the breakdown differs", where, threads);
    if (CHECK_I64(all->path_len, one->path_len, "%s, %u threads", where, threads)) {
        for (size_t i = 0; i < one->path_len; i++) {
            CHECK(same_step(&all->path[i], &one->path[i]), "%s, %u threads: step %zu of the path",
                  where, threads, i);
        }
    }
}

/* Parameters as the shape wants them; of the network or of a node. */
static sim_params draw_params(GRand *random, const random_shape *s)
{
    if (s->unit > 0) {
        return random_coarse_params(random, s->unit);
    }
    return s->narrow ? random_narrow_params(random) : random_params(random, s->max_size);
}

/* One program in some of the settings: with several threads, too, where @p k asks for it. */
static void run_settings(sim_graph *graph, sim_params params, const random_levels *levels,
                         const sim_noise *noise, unsigned k, unsigned threads_every,
                         judged_tally *t)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(SETTINGS); i++) {
        params.progress = SETTINGS[i].progress;
        params.rendezvous = SETTINGS[i].rendezvous;
        for (unsigned noisy = 0; noisy < 2; noisy++) {
            if (levels != NULL && noisy != (k / 2 + i) % 2) {
                continue; /* they are many: each with or without */
            }
            const sim_noise *heard = noisy ? noise : NULL;
            g_autofree char *where = g_strdup_printf("seed %u, setting %u, %s", JUDGED_SEED + k, i,
                                                     noisy ? "noisy" : "quiet");
            check_program(graph, &params, levels, heard, where, t);
            if (k % threads_every == 2 * i + noisy) {
                check_threads(graph, &params, levels, heard, 2 + k / threads_every % 3,
                              1 + k / threads_every / 3 % 3, where);
            }
        }
    }
}

judged_tally judged_runs(unsigned n, const random_shape *shape)
{
    judged_tally t = {0};
    /* threads cost more than the rest */
    const unsigned threads_every = shape->unit > 0 || shape->narrow || shape->levels ? 16 : 128;
    for (unsigned k = 0; k < n; k++) {
        GRand *random = g_rand_new_with_seed(JUDGED_SEED + k);
        random_shape s = *shape;
        s.max_cpus = 1 + k % shape->max_cpus;
        s.max_nics = 1 + k / 2 % shape->max_nics;
        s.exact = k % 4 == 3;
        g_autoptr(sim_graph) graph = random_program(random, &s);
        const sim_params params = draw_params(random, &s);
        const periodic_noise noise = random_noise(random);
        g_autoptr(random_levels) levels = NULL;
        if (s.levels) {
            const sim_params within = draw_params(random, &s);
            levels = random_levels_new(random, sim_graph_num_ranks(graph), &within, s.unit);
        }
        g_rand_free(random);
        run_settings(graph, params, levels, &noise.noise, k, threads_every, &t);
    }
    fprintf(stderr, "[%u come to their end, %u do not, %u have receives too small] ", t.sound,
            t.stuck, t.truncated);
    return t;
}
