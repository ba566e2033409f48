/* tests/schedgen/convert/test_convert_calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What calls of collectives take beside their messages, from the costs of a machine. */
#include "check.h"
#include "convert_texts.h"

static const char *const TEXTS[] = {
    "MPI_Allreduce:2:1:2:4:10,8,8:3:" C2(0) ":3\nMPI_Barrier:5:" C2(0) ":6\n" END,
    "MPI_Allreduce:2:1:2:4:10,8,8:3:" C2(1) ":3\nMPI_Barrier:5:" C2(1) ":6\n" END,
};

/* 32 B: 500 ns + 32 * 10 ns. */
static const sim_call_cost COSTS[SIM_NUM_CALLS] = {
    [SIM_CALL_ALLREDUCE] = {500 * SIM_NS, 10 * SIM_NS *SIM_RATE_PER_PS},
    [SIM_CALL_BARRIER] = {70 * SIM_NS, SIM_RATE_PER_PS},
    [SIM_CALL_BCAST] = {90 * SIM_NS, 0},
};

/* Rank 0: 2 us, call, 2 us, call, 94 us; of each call the messages, 4 us on MACHINE: g = o, G = 0.
 */
static void each_rank_spends_it_before_its_first_message(void)
{
    sched_convert_options options = DEFAULTS;
    options.calls = COSTS;
    g_auto(result) r = convert_texts(TEXTS, 2, &options);
    check_rank(&r, 1,
               "calc 2000000\n"
               "calc 820000 < 0\n"
               "send 32 to 0 #0 c1 < 1\n"
               "recv 32 from 0 #0 c1 ~ 2\n"
               "calc 2000000 < 2,3\n"
               "calc 70000 < 4\n"
               "send 0 to 0 #1 c1 < 5\n"
               "recv 0 from 0 #1 c1 ~ 6\n"
               "calc 94000000 < 6,7\n");
    CHECK_I64(r.report.compute, 196 * SIM_US, "it is not what the program computes");
    g_autoptr(sim_result) with = sim_run(sim_graph_program(r.graph), &MACHINE, NULL, NULL);
    CHECK_I64(with->makespan, 98 * SIM_US + 8 * SIM_US + 890 * SIM_NS);
    options.calls = NULL;
    g_auto(result) without = convert_texts(TEXTS, 2, &options);
    g_autoptr(sim_result) bare = sim_run(sim_graph_program(without.graph), &MACHINE, NULL, NULL);
    CHECK_I64(bare->makespan, 98 * SIM_US + 8 * SIM_US);
}

/* Which operations are the program's own computation is what `validate` goes by. */
static void it_is_part_of_the_call(void)
{
    sched_convert_options options = DEFAULTS;
    options.calls = COSTS;
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = trace_read_texts(TEXTS, 2, &error);
    sched_convert_report report = {0};
    sched_rank_source *source = sched_convert_source_new(trace, &options, &report, &error);
    sched_rank_ops ops;
    if (CHECK(source != NULL && source->get(source, 0, &ops, NULL), "two ranks")) {
        CHECK_I64(ops.num_ops, 9);
        CHECK((ops.calls[0] & SCHED_OP_COMPUTES) != 0, "before the first call");
        const uint64_t call = ops.calls[0] & ~SCHED_OP_COMPUTES;
        for (int i = 1; i < 4; i++) {
            CHECK_I64((int64_t)ops.calls[i], (int64_t)call, "operation %d", i);
        }
    }
    sched_convert_source_free(source);
    sched_convert_report_clear(&report);
}

/* Costs of others, nobody to talk to, nothing to move, nonblocking calls: only messages. */
static void what_is_not_said_takes_nothing(void)
{
    static const char *const OTHERS[] = {
        "MPI_Reduce:2:1:2:4:10,8,8:3:0:" C2(0) ":3\nMPI_Barrier:5:5000000001,0,1:6\n"
                                               "MPI_Bcast:7:1:0:10,8,8:0:" C2(
                                                   0) ":8\n"
                                                      "MPI_Ibarrier:9:" C2(
                                                          0) ":77:9\nMPI_Wait:10:77:0:11\n" END,
        "MPI_Reduce:2:1:2:4:10,8,8:3:0:" C2(1) ":3\nMPI_Barrier:5:5000000002,0,1:6\n"
                                               "MPI_Bcast:7:1:0:10,8,8:0:" C2(
                                                   1) ":8\n"
                                                      "MPI_Ibarrier:9:" C2(
                                                          1) ":77:9\nMPI_Wait:10:77:0:11\n" END,
    };
    sched_convert_options options = DEFAULTS;
    g_auto(result) without = convert_texts(OTHERS, 2, &options);
    options.calls = COSTS;
    g_auto(result) with = convert_texts(OTHERS, 2, &options);
    for (uint32_t rank = 0; rank < 2; rank++) {
        if (CHECK(without.graph != NULL, "%s", without.error ? without.error->message : "")) {
            g_autofree char *want = graph_text(without.graph, rank);
            check_rank(&with, rank, want);
        }
    }
}

/* After 10 us of computation the first call takes 1 us more, and the first of another kind 400 ns
 * of it. */
static const sim_cold_cost COLD = {{{10 * SIM_US, 1000 * SIM_NS, 400 * SIM_NS}}, 1};

/* Rank 1: 2 us, allreduce, 2 us, barrier, which has computed 4 us since it began, 94 us. */
static void what_was_computed_before_a_call_makes_it_cost_more(void)
{
    sched_convert_options options = DEFAULTS;
    options.calls = COSTS;
    options.cold = &COLD;
    g_auto(result) r = convert_texts(TEXTS, 2, &options);
    check_rank(&r, 1,
               "calc 2000000\n"
               "calc 200000 < 0\n"
               "calc 820000 < 1\n"
               "send 32 to 0 #0 c1 < 2\n"
               "recv 32 from 0 #0 c1 ~ 3\n"
               "calc 2000000 < 3,4\n"
               "calc 280000 < 5\n" /* 2 us: 120 ns that all share; 4 us: 160 ns of its own */
               "calc 70000 < 6\n"
               "send 0 to 0 #1 c1 < 7\n"
               "recv 0 from 0 #1 c1 ~ 8\n"
               "calc 94000000 < 8,9\n");
    CHECK_I64(r.report.compute, 196 * SIM_US, "it is not what the program computes");
}

/* 5 us, then: two receives are posted, a message sent, both waited for; 10 us, and once more. */
static void point_to_point_is_one_kind_and_a_posted_receive_no_call(void)
{
    static const char *const POSTED[] = {
        "MPI_Irecv:5:1:8:13,1,1:1:4:" C2(0) ":71:5\nMPI_Isend:5:1:8:13,1,1:1:4:" C2(
            0) ":72:5\nMPI_Wait:5:71:0:7\nMPI_Wait:7:72:0:7\n"
               "MPI_Send:17:1:8:13,1,1:1:5:" C2(0) ":18\n" END,
        "MPI_Irecv:5:1:8:13,1,1:0:4:" C2(1) ":71:5\nMPI_Isend:5:1:8:13,1,1:0:4:" C2(
            1) ":72:5\nMPI_Wait:5:71:0:7\nMPI_Wait:7:72:0:7\n"
               "MPI_Recv:17:1:8:13,1,1:0:5:" C2(1) ":0:18\n" END,
    };
    sched_convert_options options = DEFAULTS;
    g_auto(result) without = convert_texts(POSTED, 2, &options);
    options.cold = &COLD;
    g_auto(result) with = convert_texts(POSTED, 2, &options);
    if (!CHECK(with.graph != NULL && without.graph != NULL, "%s",
               with.error != NULL ? with.error->message : "")) {
        return;
    }
    g_autofree char *warm = graph_text(without.graph, 0);
    g_autofree char *cold = graph_text(with.graph, 0);
    CHECK(g_str_has_prefix(warm, "calc 5000000\nrecv 8 from 1"), "%s", warm);
    CHECK(g_str_has_prefix(cold, "calc 5000000\nrecv 8 from 1"), "posted as before: %s", cold);
    CHECK(strstr(cold, "calc 500000 ~") != NULL, "5 us, before the send: %s", cold);
    CHECK(strstr(cold, "calc 1000000 <") != NULL, "10 us, before the second message: %s", cold);
    CHECK_I64(sim_graph_num_ops(with.graph, 0), sim_graph_num_ops(without.graph, 0) + 2,
              "and nothing after no computation");
}

SUITE_MAIN("costs of calls", TEST(each_rank_spends_it_before_its_first_message),
           TEST(it_is_part_of_the_call), TEST(what_was_computed_before_a_call_makes_it_cost_more),
           TEST(point_to_point_is_one_kind_and_a_posted_receive_no_call),
           TEST(what_is_not_said_takes_nothing))
