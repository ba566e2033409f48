/* tests/apps/detection/test_simulated_calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls of simulated runs: of a chain whose times are known by hand, and under noise. */
#include "check.h"
#include "detection/simulated_calls.h"
#include "noise/injection.h"
#include "sim/unit.h"
#include "view/step_program.h"

enum { RANKS = 6, STEPS = 40 };

static const step_program PROGRAM = {STEP_ONE_WAY, true, RANKS, STEPS, 1, 100, SIM_MS};

static app_run_calls *run(sim_graph *graph, const app_call_script *script,
                          const sim_run_options *options)
{
    const sim_params params = step_params();
    g_autoptr(GError) error = NULL;
    app_run_calls *calls =
        app_simulated_calls(script, sim_graph_program(graph), &params, options, &error);
    g_assert_no_error(error);
    return calls;
}

static app_run_calls *run_under(sim_graph *graph, const app_call_script *script, const char *noise)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_signature) signature = noise_signature_parse(noise, 1, &error);
    g_assert_no_error(error);
    const noise_injection_options how = {.seed = 1};
    g_autoptr(noise_injection) injection = noise_injection_new(signature, RANKS, &how);
    const sim_run_options options = {.noise = noise_injection_hook(injection)};
    return run(graph, script, &options);
}

/* Each step computes 1 ms, then sends and receives; the last receive has nothing after it. */
static void each_message_is_a_call_after_what_is_computed(void)
{
    g_autoptr(sim_graph) graph = step_program_new(&PROGRAM);
    g_autoptr(app_call_script) script =
        app_call_script_new(sim_graph_program(graph), NULL, NULL, NOISE_MATCH_DISTANCE);
    g_autoptr(app_run_calls) calls = run(graph, script, NULL);
    CHECK_I64(calls->num_ranks, RANKS);
    CHECK(calls->end >= STEPS * SIM_MS);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        sim_time all = 0;
        CHECK_I64(calls->rank[rank].n, 2 * STEPS, "rank %u", rank);
        for (size_t i = 0; i < calls->rank[rank].n; i++) {
            const noise_sequence_call *c = &calls->rank[rank].call[i];
            CHECK(c->symbol == calls->rank[0].call[i].symbol, "rank %u call %zu", rank, i);
            CHECK(c->compute == 0 || c->compute == SIM_MS, "rank %u call %zu", rank, i);
            CHECK(c->compute == 0 || c->entered >= (sim_time)(i / 2 + 1) * SIM_MS, "call %zu", i);
            all += c->compute;
        }
        CHECK_I64(all, STEPS * SIM_MS, "rank %u", rank);
    }
    CHECK_I64(g_hash_table_size(calls->names), 2);
}

/* The stream is the same program's, whatever strikes it; what strikes a rank is in its computation
 * and in no other's. */
static void detours_lengthen_the_computation_of_their_rank_alone(void)
{
    g_autoptr(sim_graph) graph = step_program_new(&PROGRAM);
    g_autoptr(app_call_script) script =
        app_call_script_new(sim_graph_program(graph), NULL, NULL, NOISE_MATCH_DISTANCE);
    g_autoptr(app_run_calls) quiet = run(graph, script, NULL);
    g_autoptr(app_run_calls) struck = run_under(graph, script, "fixed:100Hz:3ms@2");
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        sim_time more = 0;
        for (size_t i = 0; i < quiet->rank[rank].n; i++) {
            const noise_sequence_call *a = &quiet->rank[rank].call[i];
            const noise_sequence_call *b = &struck->rank[rank].call[i];
            CHECK(a->symbol == b->symbol, "rank %u call %zu", rank, i);
            CHECK(b->compute >= a->compute, "rank %u call %zu", rank, i);
            more += b->compute - a->compute;
        }
        CHECK(rank == 2 ? more >= 9 * SIM_MS : more == 0, "rank %u: %" G_GINT64_FORMAT, rank, more);
    }
}

/* Every third operation begins a call, one goes on with it, one computes. */
static uint64_t by_thirds(void *data, uint32_t rank, uint32_t index, const sim_op *op)
{
    (void)data;
    (void)op;
    return index % 3 == 0 ? APP_CALL_COMPUTES : index % 3 == 1 ? 100 + rank : APP_CALL_GOES_ON;
}

static void a_generator_says_what_its_operations_are(void)
{
    g_autoptr(sim_graph) graph = step_program_new(&PROGRAM);
    const sim_program *program = sim_graph_program(graph);
    g_autoptr(app_call_script) script =
        app_call_script_new(program, by_thirds, NULL, NOISE_MATCH_FUNCTION);
    app_call_script_name(script, 100, "MPI_Alltoall");
    app_call_script_anchor(script, 100);
    g_autoptr(app_run_calls) calls = run(graph, script, NULL);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        const uint64_t ops = program->methods->num_ops(program, rank);
        CHECK_I64(calls->rank[rank].n, (ops + 1) / 3, "rank %u", rank);
        CHECK_I64(calls->rank[rank].call[0].symbol, 100 + rank);
        CHECK(calls->rank[rank].call[0].anchor == (rank == 0), "rank %u", rank);
    }
    CHECK_STR(app_run_calls_find_name(calls, 100), "MPI_Alltoall");
}

SUITE_MAIN("simulated_calls", TEST(each_message_is_a_call_after_what_is_computed),
           TEST(detours_lengthen_the_computation_of_their_rank_alone),
           TEST(a_generator_says_what_its_operations_are))
