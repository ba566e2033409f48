/* tests/apps/detection/test_recorded_calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls of records that were never run, by hand. */
#include "check.h"
#include "detection/recorded_calls.h"
#include "mining/calls.h"
#include "mining/ring.h"
#include "sim/unit.h"

static void init_and_finalize_are_no_calls(void)
{
    g_autoptr(sched_trace) t = sched_trace_new("by hand", "test", 1);
    add_call(t, 0, SCHED_CALL_INIT, "MPI_Init", 1000, 1100);
    add_call(t, 0, SCHED_CALL_COLLECTIVE, "MPI_Barrier", 1130, 1140);
    add_call(t, 0, SCHED_CALL_OTHER, "MPI_Pcontrol", 1145, 1150);
    add_call(t, 0, SCHED_CALL_OTHER, "MPI_Comm_size", 1160, 1170);
    add_call(t, 0, SCHED_CALL_FINALIZE, "MPI_Finalize", 1180, 1190);
    g_autoptr(app_run_calls) calls = app_recorded_calls(t, NOISE_MATCH_DISTANCE);
    CHECK_I64(calls->num_ranks, 1);
    if (!CHECK_I64(calls->rank[0].n, 2)) {
        return;
    }
    const noise_sequence_call *c = calls->rank[0].call;
    CHECK_I64(c[0].compute, 30);
    CHECK_I64(c[0].entered, 130, "from the first instant on");
    CHECK_I64(c[1].compute, 5 + 10, "without the pause");
    CHECK_I64(calls->end, 190);
    CHECK(!c[1].anchor);
    CHECK(c[0].anchor, "all ranks take part in the barrier");
}

/* A ring: what is sent to the right is the same call on every rank, the last one included. */
static void ranks_of_a_ring_make_the_same_calls(void)
{
    const ring r = {.ranks = 5, .steps = 50, .seed = 3};
    g_autoptr(sched_trace) t = ring_record(&r);
    g_autoptr(app_run_calls) calls = app_recorded_calls(t, NOISE_MATCH_DISTANCE);
    CHECK_I64(g_hash_table_size(calls->names), 2);
    for (uint32_t rank = 0; rank < r.ranks; rank++) {
        CHECK_I64(calls->rank[rank].n, 100, "rank %u", rank);
        for (size_t i = 0; i < calls->rank[rank].n; i++) {
            const noise_sequence_call *c = &calls->rank[rank].call[i];
            CHECK_STR(app_run_calls_find_name(calls, c->symbol),
                      i % 2 == 0 ? "MPI_Send to rank+1" : "MPI_Recv from rank-1", "call %zu", i);
            CHECK_NEAR(c->compute, i % 2 == 0 ? 400 * SIM_US : 500 * SIM_NS, 100 * SIM_NS,
                       "rank %u call %zu", rank, i);
        }
    }
}

static void receives_from_anybody_are_told_apart_from_those_of_a_rank(void)
{
    g_autoptr(sched_trace) t = sched_trace_new("by hand", "test", 4);
    static const uint32_t SOURCE[] = {1, SCHED_ANY, SCHED_PROC_NULL};
    static const char *const NAME[] = {"MPI_Recv from rank+1", "MPI_Recv from any",
                                       "MPI_Recv from nobody"};
    add_call(t, 0, SCHED_CALL_INIT, "MPI_Init", 0, 1);
    for (size_t i = 0; i < G_N_ELEMENTS(SOURCE); i++) {
        add_recv(t, 0, SOURCE[i], 8, 10 * (sim_time)i + 5, 10 * (sim_time)i + 6);
        t->ranks[0].calls[i + 1].matched_peer = SOURCE[i] == SCHED_ANY ? 2 : SCHED_UNKNOWN;
    }
    g_autoptr(app_run_calls) calls = app_recorded_calls(t, NOISE_MATCH_DISTANCE);
    for (size_t i = 0; i < G_N_ELEMENTS(SOURCE); i++) {
        CHECK_STR(app_run_calls_find_name(calls, calls->rank[0].call[i].symbol), NAME[i]);
    }
}

SUITE_MAIN("recorded_calls", TEST(init_and_finalize_are_no_calls),
           TEST(ranks_of_a_ring_make_the_same_calls),
           TEST(receives_from_anybody_are_told_apart_from_those_of_a_rank))
