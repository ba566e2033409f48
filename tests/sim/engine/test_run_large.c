/* tests/sim/engine/test_run_large.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The engine at sizes that the judge cannot do: against the plain heap of the benchmarks (which
 * is checked against the judge here), and, where much waits for one processor, against a
 * processor simulated alone.
 */
#include "check.h"
#include "heap_engine.h"
#include "judge.h"
#include "random_program.h"
#include "sim/error.h"
#include "sim/run.h"
#include "workload.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { RANKS = 1 << 11, MORE_RANKS = 1 << 12, INCAST = 1 << 11 };
#else
/* Beyond 128Ki ranks the engine keeps less of each at hand. */
enum { RANKS = 1 << 16, MORE_RANKS = (1 << 17) + 8, INCAST = 1 << 16 };
#endif

static const sim_progress PROGRESS[] = {SIM_PROGRESS_POLLING, SIM_PROGRESS_ASYNC};
static const sim_rendezvous RENDEZVOUS[] = {SIM_RENDEZVOUS_HANDSHAKE, SIM_RENDEZVOUS_INSTANT};

static void plain_heap_equals_the_judge(void)
{
    const random_shape shape = {.max_ranks = 8,
                                .max_steps = 40,
                                .max_cpus = 3,
                                .max_nics = 2,
                                .wildcards = true,
                                .max_size = 60,
                                .max_calc = 500};
    unsigned sound = 0;
    for (uint32_t seed = 1; seed <= 300; seed++) {
        GRand *random = g_rand_new_with_seed(seed);
        g_autoptr(sim_graph) graph = random_program(random, &shape);
        sim_params params = random_params(random, shape.max_size);
        const periodic_noise noise = random_noise(random);
        g_rand_free(random);
        params.progress = PROGRESS[seed % 2];
        params.rendezvous = RENDEZVOUS[seed / 2 % 2];
        sim_time expected[8];
        sim_time finish[8];
        const judge_verdict verdict = judge_run(graph, &params, &noise.noise, expected);
        CHECK((verdict == JUDGE_SOUND) == heap_engine_run(graph, &params, &noise.noise, finish),
              "seed %u", seed);
        sound += verdict == JUDGE_SOUND;
        for (uint32_t r = 0; r < sim_graph_num_ranks(graph) && verdict == JUDGE_SOUND; r++) {
            CHECK_I64(finish[r], expected[r], "seed %u, rank %u", seed, r);
        }
    }
    CHECK(sound > 200, "%u of 300 end", sound);
}

static void check_run(sim_graph *graph, const sim_params *params, const sim_run_options *options,
                      const sim_time *expected, const char *where)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_result) result = sim_run(sim_graph_program(graph), params, options, &error);
    if (!CHECK(result != NULL, "%s: %s", where, error != NULL ? error->message : "sound")) {
        return;
    }
    uint32_t wrong = 0;
    for (uint32_t r = 0; r < result->num_ranks; r++) {
        wrong += result->finish[r] != expected[r];
    }
    CHECK_I64(wrong, 0, "ranks of %s, %u threads", where, options->threads);
}

/* Every rank of @p name at @p ranks, quiet and noisy, on one to four threads. */
static void check_against_heap(const char *name, uint32_t ranks, const sim_params *params)
{
    static const periodic_noise noise = {.noise = {.finish = periodic_noise_finish},
                                         .period = 97 * SIM_US,
                                         .length = 5 * SIM_US,
                                         .shift = 1234567};
    g_autoptr(sim_graph) graph = workload_graph(workload_by_name(name), ranks);
    g_autofree sim_time *expected = g_new(sim_time, ranks);
    for (int noisy = 0; noisy < 2; noisy++) {
        sim_run_options options = {.noise = noisy ? &noise.noise : NULL};
        CHECK(heap_engine_run(graph, params, options.noise, expected));
        g_autofree char *where =
            g_strdup_printf("%s on %u, %s", name, ranks, noisy ? "noisy" : "quiet");
        for (options.threads = 1; options.threads <= 4; options.threads++) {
            check_run(graph, params, &options, expected, where);
        }
    }
}

static void equals_the_plain_heap_on_a_dissemination(void)
{
    check_against_heap("dissemination", MORE_RANKS, &WORKLOAD_PARAMS);
}

static void equals_the_plain_heap_on_a_binomial_tree(void)
{
    check_against_heap("binomial", RANKS, &WORKLOAD_PARAMS);
}

static void equals_the_plain_heap_on_halo_and_allreduce(void)
{
    check_against_heap("iteration", RANKS, &WORKLOAD_PARAMS);
}

static void equals_the_plain_heap_under_every_setting(void)
{
    static const char *const names[] = {"dissemination", "iteration", "alltoall", "wild-incast"};
    static const uint32_t ranks[] = {RANKS / 16, RANKS / 16, 24, 100};
    for (unsigned k = 0; k < 4; k++) {
        for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
            sim_params params = WORKLOAD_PARAMS;
            params.progress = PROGRESS[k % 2];
            params.rendezvous = RENDEZVOUS[k / 2];
            params.S = 16; /* halos and most of the fan-in are large */
            check_against_heap(names[i], ranks[i], &params);
        }
    }
}

/* All messages are held until they meet their receives: instants of all ranks hang together. */
static void equals_the_plain_heap_when_all_is_instant_rendezvous(void)
{
    for (unsigned k = 0; k < 2; k++) {
        sim_params params = WORKLOAD_PARAMS;
        params.progress = PROGRESS[k];
        params.rendezvous = SIM_RENDEZVOUS_INSTANT;
        params.S = 0;
        check_against_heap("iteration", RANKS / 4, &params);
        check_against_heap("dissemination", RANKS / 4 + 3, &params);
    }
}

/* A processor alone, polling: what it has to send and to receive, all of it ready at 0. */
typedef struct task {
    sim_time arrival; /* a receive: of its message; -1: not known yet */
    bool is_send;
    bool done;
} task;

static sim_time start_of(const task *t, sim_time cpu, sim_time tx, sim_time rx, sim_time extra)
{
    if (t->is_send) {
        return MAX(cpu, tx);
    }
    return MAX(cpu, MAX(t->arrival, rx) + extra);
}

/* Task 2k receives what task 2k + 1, a send, is on another processor just like this one. */
static sim_time alone(task *t, size_t n, int64_t size)
{
    const sim_params *p = &WORKLOAD_PARAMS;
    const sim_time gap = sim_rate_times(p->G, size - 1);
    const sim_time overhead = sim_rate_times(p->O, size - 1);
    sim_time cpu = 0;
    sim_time tx = 0;
    sim_time rx = 0;
    for (size_t left = n; left > 0; left--) {
        size_t first = n;
        sim_time start = INT64_MAX;
        sim_time ready = 0;
        for (size_t k = 0; k < n; k++) {
            if (t[k].done || (!t[k].is_send && t[k].arrival < 0)) {
                continue;
            }
            const sim_time at = start_of(&t[k], cpu, tx, rx, MAX(gap - overhead, 0));
            const sim_time since = t[k].is_send ? 0 : t[k].arrival;
            if (at < start || (at == start && since < ready)) {
                first = k;
                start = at;
                ready = since;
            }
        }
        if (first == n) {
            return -1; /* all wait for each other */
        }
        t[first].done = true;
        cpu = start + p->o + overhead;
        if (!t[first].is_send) {
            rx = MAX(t[first].arrival, rx) + p->g + gap;
            continue;
        }
        tx = start + p->g + gap;
        t[first - 1].arrival = start + p->o + p->L;
    }
    return cpu;
}

static sim_time makespan_of(const char *name, uint32_t ranks, sim_time *least)
{
    g_autoptr(sim_graph) graph = workload_graph(workload_by_name(name), ranks);
    const sim_run_options options = {.threads = 3};
    g_autoptr(sim_result) result =
        sim_run(sim_graph_program(graph), &WORKLOAD_PARAMS, &options, NULL);
    CHECK(result != NULL);
    *least = INT64_MAX;
    for (uint32_t r = 0; r < ranks && result != NULL; r++) {
        *least = MIN(*least, result->finish[r]);
    }
    return result != NULL ? result->makespan : -1;
}

static void equals_one_processor_for_all_when_all_send_to_all(void)
{
    enum { ALL = 512 };
    task t[2 * (ALL - 1)];
    for (size_t k = 0; k < G_N_ELEMENTS(t); k++) {
        t[k] = (task){.is_send = k % 2 == 1, .arrival = -1};
    }
    const sim_time expected = alone(t, G_N_ELEMENTS(t), 64);
    sim_time least = 0;
    CHECK_I64(makespan_of("alltoall", ALL, &least), expected);
    CHECK_I64(least, expected); /* all ranks are alike */
}

static void takes_in_a_fan_in_at_the_pace_of_its_receiver(void)
{
    const sim_params *p = &WORKLOAD_PARAMS;
    sim_time cpu = 0;
    sim_time rx = 0;
    const sim_time gap = sim_rate_times(p->G, 7); /* of 8 bytes; O is 0 */
    for (uint32_t k = 1; k < INCAST; k++) {       /* all arrive together; docs/model.md */
        const sim_time in = MAX(p->o + p->L, rx);
        cpu = MAX(cpu, in + gap) + p->o;
        rx = in + p->g + gap;
    }
    sim_time least = 0;
    CHECK_I64(makespan_of("incast", INCAST, &least), cpu);
    CHECK_I64(least, p->o);
}

typedef struct onlooker {
    sim_watch watch;
    unsigned looks;
    unsigned looks_at_most; /* then it has seen enough; 0: never */
    uint64_t num_ops;
    sim_time now;
    bool ordered;
} onlooker;

static bool look(sim_watch *watch, uint64_t num_ops, sim_time now)
{
    onlooker *o = (onlooker *)watch;
    o->ordered = o->ordered && num_ops >= o->num_ops && now >= o->now;
    o->num_ops = num_ops;
    o->now = now;
    return ++o->looks != o->looks_at_most;
}

/* In windows of time, and (S = 16, instant) one step of one rank after the other. */
static void is_watched_from_beginning_to_end_and_stopped_on_request(void)
{
    enum { WATCHED = 1 << 14, TIMES = 4 };
    g_autoptr(sim_graph) graph = workload_graph(workload_by_name("iteration"), WATCHED);
    for (int k = 0; k < TIMES; k++) {
        sim_params params = WORKLOAD_PARAMS;
        params.rendezvous = RENDEZVOUS[k / 2];
        params.S = k / 2 > 0 ? 16 : params.S;
        sim_run_options options = {.threads = k % 2 ? 3 : 1};
        g_autoptr(sim_result) alone = sim_run(sim_graph_program(graph), &params, &options, NULL);
        onlooker all = {.watch = {look}, .ordered = true};
        options.watch = &all.watch;
        g_autoptr(sim_result) watched = sim_run(sim_graph_program(graph), &params, &options, NULL);
        if (!CHECK(alone != NULL && watched != NULL)) {
            return;
        }
        CHECK_I64(watched->makespan, alone->makespan);
        CHECK(all.ordered && all.looks >= 2, "%u looks", all.looks);
        CHECK(all.num_ops > alone->num_ops / 2 && all.num_ops <= alone->num_ops);
        CHECK(all.now > 0 && all.now <= alone->makespan);

        onlooker some = {.watch = {look}, .looks_at_most = 2};
        options.watch = &some.watch;
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_result) stopped =
            sim_run(sim_graph_program(graph), &params, &options, &error);
        CHECK(stopped == NULL);
        CHECK(g_error_matches(error, SIM_ERROR, SIM_ERROR_STOPPED));
        CHECK_I64(some.looks, 2);
    }
}

SUITE_MAIN("run_large", TEST(plain_heap_equals_the_judge),
           TEST(equals_the_plain_heap_on_a_dissemination),
           TEST(equals_the_plain_heap_on_a_binomial_tree),
           TEST(equals_the_plain_heap_on_halo_and_allreduce),
           TEST(equals_the_plain_heap_under_every_setting),
           TEST(equals_the_plain_heap_when_all_is_instant_rendezvous),
           TEST(equals_one_processor_for_all_when_all_send_to_all),
           TEST(takes_in_a_fan_in_at_the_pace_of_its_receiver),
           TEST(is_watched_from_beginning_to_end_and_stopped_on_request))
