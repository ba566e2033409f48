/* tests/sim/engine/test_long_run.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The slowdown of programs that go on for long, docs/model.md, section 9: against a closed form, a
 * Monte Carlo of its own, and numbers that were obtained before.
 */
#include "data.h"
#include "noise/injection.h"
#include "sched/replay.h"
#include "sim/machine.h"
#include "small_run.h"

#include <math.h>

/** One machine under noise: its phases. */
typedef struct machine {
    const noise_signature *signature;
    noise_sync sync;
    uint32_t replica;
} machine;

static sim_time run_on(const sim_program *program, const sim_params *params, const machine *m)
{
    const noise_injection_options how = {.sync = m->sync, .seed = 1, .replica = m->replica};
    g_autoptr(noise_injection) injection =
        noise_injection_new(m->signature, program->num_ranks, &how);
    const sim_run_options options = {.noise = noise_injection_hook(injection)};
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_result) result = sim_run(program, params, &options, &error);
    g_assert_no_error(error);
    return result->makespan;
}

static noise_signature *signature_of(const char *text, uint64_t seed)
{
    g_autoptr(GError) error = NULL;
    noise_signature *signature = noise_signature_parse(text, seed, &error);
    g_assert_no_error(error);
    return signature;
}

/* A rank that never waits loses what detours take of its CPU, to within one of them. */
static void one_rank_loses_its_share_to_within_one_detour(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    for (uint32_t round = 0; round < 100; round++) {
        const sim_time period = g_rand_int_range(rand, 10, 100000) * SIM_US;
        const sim_time length = (sim_time)((double)period * g_rand_double_range(rand, 0.001, 0.5));
        const sim_time pass = g_rand_int_range(rand, 1, 100000) * SIM_US;
        const uint32_t passes = (uint32_t)g_rand_int_range(rand, 1, 300);
        g_autofree char *text =
            g_strdup_printf("fixed:%" PRId64 "ps:%" PRId64 "ps", period, length);
        g_autoptr(noise_signature) signature = signature_of(text, 1);
        sim_graph_builder *b = sim_graph_builder_new(1);
        sim_graph_builder_begin_rank(b, 0);
        for (uint32_t i = 0; i < passes; i++) {
            small_add(b, SIM_OP_CALC, 0, pass, 0);
            if (i > 0) {
                sim_graph_builder_require(b, i, i - 1);
            }
        }
        g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
        const sim_params alone = {.S = 1};
        const machine m = {signature, NOISE_UNSYNCHRONIZED, round};
        const double ideal = (double)pass * passes;
        const double lost = (double)run_on(sim_graph_program(graph), &alone, &m) - ideal;
        const double share = (double)length / (double)period;
        CHECK_NEAR(lost, ideal * share / (1 - share), (double)length + 1,
                   "round %u: %s, %u passes of %" PRId64 " ps", round, text, passes, pass);
    }
}

/* Work of @p work on all ranks, @p intervals times, and a barrier after each that takes almost no
 * time: everybody tells rank 0, which tells everybody. */
static sim_graph *barriers(uint32_t ranks, uint32_t intervals, sim_time work)
{
    sim_graph_builder *b = sim_graph_builder_new(ranks);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        sim_graph_builder_begin_rank(b, rank);
        uint32_t num_ops = 0;
        for (uint32_t i = 0; i < intervals; i++) {
            const uint32_t first = num_ops;
            num_ops = small_add(b, SIM_OP_CALC, 0, work, 0) + 1;
            for (uint32_t peer = 1; rank == 0 && peer < 2 * ranks - 1; peer++) {
                const bool told = peer < ranks;
                num_ops = small_add(b, told ? SIM_OP_RECV : SIM_OP_SEND,
                                    told ? peer : peer - ranks + 1, 1, 0) +
                          1;
            }
            if (rank > 0) {
                (void)small_add(b, SIM_OP_SEND, 0, 1, 0);
                num_ops = small_add(b, SIM_OP_RECV, 0, 1, 0) + 1;
            }
            for (uint32_t op = MAX(first, 1); op < num_ops; op++) {
                sim_graph_builder_require(b, op, op - 1);
            }
        }
    }
    g_autoptr(GError) error = NULL;
    sim_graph *graph = sim_graph_builder_finish(b, &error);
    g_assert_no_error(error);
    return graph;
}

/* The judge: the slowdown of @p ranks that work for @p work and wait for the last of them, @p
 * intervals times, under detours of length D that come on each rank once in a unit of time on
 * average, at random, and are served one after the other. What is under way when an interval ends
 * carries over to the next. */
static double monte_carlo(uint32_t ranks, uint32_t intervals, double work, double D, GRand *rand)
{
    g_autofree double *next = g_new(double, ranks);   /* detour that comes */
    g_autofree double *until = g_new0(double, ranks); /* end of those that have come */
    for (uint32_t r = 0; r < ranks; r++) {
        next[r] = -log(1 - g_rand_double(rand));
    }
    double now = 0;
    for (uint32_t i = 0; i < intervals; i++) {
        double last = now;
        for (uint32_t r = 0; r < ranks; r++) {
            double at = now;
            double left = work;
            while (next[r] < at + left || until[r] > at) {
                if (next[r] <= at) {
                    until[r] = fmax(until[r], next[r]) + D;
                    next[r] -= log(1 - g_rand_double(rand));
                } else if (until[r] > at) {
                    at = until[r];
                } else {
                    left -= next[r] - at;
                    at = next[r];
                }
            }
            last = fmax(last, at + left);
        }
        now = last;
    }
    return now / (intervals * work) - 1;
}

/* Mean of several runs, and its standard error. */
typedef struct estimate {
    double mean;
    double error;
} estimate;

static estimate estimate_of(const double *values, size_t n)
{
    double mean = 0;
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        mean += values[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        squares += (values[i] - mean) * (values[i] - mean);
    }
    return (estimate){mean, sqrt(squares / (double)(n - 1) / (double)n)};
}

static void rare_detours_between_barriers_are_those_of_a_monte_carlo(void)
{
    /* s = D / T = 0.01, P w / T = 0.05, T = 1 s. e^(P D / T) - 1 is the limit for w to 0. */
    enum { RUNS = 10 };
    static const struct {
        uint32_t ranks;
        uint32_t intervals;
        double least; /* what the judge may say: the closed forms around it, and where there is */
        double most;  /* one, the figure of an independent program (1.60 for 100 ranks) */
    } row[] = {{10, 10000, 0.09, 0.1052}, {100, 4000, 1.5, 1.718}, {300, 1000, 12.5, 19.09}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const sim_params fast = {.L = SIM_NS, .S = 65535};
        const uint32_t ranks = row[i].ranks;
        const sim_time work = 50 * SIM_MS / ranks;
        g_autoptr(sim_graph) graph = barriers(ranks, row[i].intervals, work);
        g_autoptr(GRand) rand = g_rand_new_with_seed(1);
        double engine[RUNS];
        double judge[5 * RUNS];
        for (uint32_t k = 0; k < RUNS; k++) {
            g_autoptr(noise_signature) signature = signature_of("poisson:1s:10ms", k + 1);
            const machine m = {signature, NOISE_UNSYNCHRONIZED, k};
            engine[k] = (double)run_on(sim_graph_program(graph), &fast, &m) /
                            ((double)work * row[i].intervals) -
                        1;
        }
        for (uint32_t k = 0; k < 5 * RUNS; k++) {
            judge[k] = monte_carlo(ranks, row[i].intervals, 0.05 / ranks, 0.01, rand);
        }
        const estimate ours = estimate_of(engine, RUNS);
        const estimate theirs = estimate_of(judge, G_N_ELEMENTS(judge));
        CHECK(theirs.mean > row[i].least && theirs.mean < row[i].most, "%u ranks: %g", ranks,
              theirs.mean);
        CHECK_NEAR(ours.mean, theirs.mean, 3 * hypot(ours.error, theirs.error), "%u ranks", ranks);
    }
}

/* A floor of s / (1 - s), here 1 of 9, holds for ranks that never wait. These two work for 1 ms and
 * wait for 9: a detour that meets the work once moves it to where the next ones meet the waiting.
 */
static void a_program_that_waits_absorbs_nearly_all(void)
{
    enum { PASSES = 1000, REPLICAS = 20 };
    const sim_time ideal = (sim_time)PASSES * 10 * SIM_MS;
    const sim_params slow = {.L = 4500 * SIM_US, .S = 65535}; /* there and back: 9 ms */
    g_autoptr(sim_graph) graph = barriers(2, PASSES, SIM_MS);
    g_autoptr(noise_signature) signature = signature_of("fixed:100Hz:1ms", 1);
    for (noise_sync sync = NOISE_UNSYNCHRONIZED; sync <= NOISE_COSCHEDULED; sync++) {
        double mean = 0;
        for (uint32_t i = 0; i < REPLICAS; i++) {
            const machine m = {signature, sync, i};
            const sim_time lost = run_on(sim_graph_program(graph), &slow, &m) - ideal;
            CHECK(lost >= 0 && lost <= 2 * SIM_MS, "replica %u: %" PRId64, i, lost);
            mean += (double)lost / (double)ideal / REPLICAS;
        }
        CHECK(mean > 0 && mean < 0.0002, "%g", mean);
    }
}

typedef struct moments {
    double mean;
    double deviation;
} moments;

static moments moments_of(const sim_program *program, const sim_params *params,
                          const noise_signature *signature, noise_sync sync, uint32_t replicas)
{
    g_autoptr(sim_result) ideal = sim_run(program, params, NULL, NULL);
    moments m = {0};
    for (uint32_t i = 0; i < replicas; i++) {
        const machine each = {signature, sync, i};
        const double slowdown =
            (double)run_on(program, params, &each) / (double)ideal->makespan - 1;
        m.mean += slowdown / replicas;
        m.deviation += slowdown * slowdown / replicas;
    }
    m.deviation = sqrt(m.deviation - m.mean * m.mean);
    return m;
}

/* docs/model.md, section 9.1: co-scheduled, slowdowns settle with the length of the run, from many
 * that met nothing to 2.56 %; unsynchronized, they stay as far apart as they are, since phases are
 * locked. */
static void a_recorded_program_settles_as_the_table_says(void)
{
    enum { REPLICAS = 20 };
    static const struct {
        uint32_t passes;
        noise_sync sync;
        double mean; /* %, and standard deviation over replicas */
        double deviation;
    } row[] = {
        {1, NOISE_COSCHEDULED, 0.48, 2.08},     {1, NOISE_UNSYNCHRONIZED, 41.4, 18.2},
        {10, NOISE_COSCHEDULED, 2.34, 0.79},    {10, NOISE_UNSYNCHRONIZED, 37.9, 3.9},
        {100, NOISE_COSCHEDULED, 2.543, 0.080}, {100, NOISE_UNSYNCHRONIZED, 38.0, 4.6},
    };
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_machine) xt4 = sim_machine_load("xt4", &error);
    g_assert_no_error(error);
    g_autofree char *path = test_data("../../apps/proxies/traces/halo-cg-16");
    sched_trace *trace = sched_trace_read(path, &error);
    g_assert_no_error(error);
    g_autoptr(noise_signature) signature = signature_of("fixed:10Hz:2.5ms", 1);
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        sched_convert_report report = {0};
        const sched_convert_options options = {.copies = 1, .repeat = row[i].passes};
        sim_program *program = sched_replay_new(trace, &options, &report, &error);
        g_assert_no_error(error);
        const moments m = moments_of(program, &xt4->params, signature, row[i].sync, REPLICAS);
        CHECK_NEAR(100 * m.mean, row[i].mean, row[i].deviation, "%u passes", row[i].passes);
        CHECK(100 * m.deviation > row[i].deviation / 2 && 100 * m.deviation < row[i].deviation * 2,
              "%u passes: %g", row[i].passes, 100 * m.deviation);
        sim_program_free(program);
        sched_convert_report_clear(&report);
    }
    sched_trace_free(trace);
}

SUITE_MAIN("long_run", TEST(one_rank_loses_its_share_to_within_one_detour),
           TEST(rare_detours_between_barriers_are_those_of_a_monte_carlo),
           TEST(a_program_that_waits_absorbs_nearly_all),
           TEST(a_recorded_program_settles_as_the_table_says))
