/* tests/schedgen/convert/test_convert.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "convert_texts.h"

static void blocking_calls_form_a_chain(void)
{
    static const char *const texts[] = {
        "MPI_Comm_rank:1:" C2(0) ":9:2\n"
                                 "MPI_Send:5:7:8:13,1,1:1:42:" C2(
                                     0) ":9\n"
                                        "MPI_Ssend:9:7:2:13,1,1:1:43:" C2(
                                            0) ":11\n"
                                               "MPI_Send:12:7:2:13,1,1:-2:43:" C2(0) ":13\n" END,
        "MPI_Recv:7.5:7:8:13,1,1:0:42:" C2(1) ":9:9\n"
                                              "MPI_Recv:10:7:9:13,1,1:-1:-1:" C2(1) ":9:12\n" END,
    };
    g_auto(result) r = convert_texts(texts, 2, &DEFAULTS);
    check_rank(&r, 0,
               "calc 5000000\n"
               "send 8 to 1 #42 c0 < 0\n"
               "send 2 to 1 #43 c0 < 1\n"
               "calc 1000000 < 2\n"
               "calc 87000000 < 3\n");
    check_rank(&r, 1,
               "calc 7500000\n"
               "recv 8 from 0 #42 c0 < 0\n"
               "calc 1000000 < 1\n"
               "recv 9 from any #any c0 < 2\n"
               "calc 88000000 < 3\n");
    check_runs(&r);
    CHECK_I64(r.report.calls, 5);
    CHECK_I64(r.report.p2p, 2);
    CHECK_I64(r.report.compute, (93 + 96) * SIM_US + 500 * SIM_NS);
    CHECK_I64(trace_noticed(r.report.notices, "synchronous sends"), 1);
}

static void nonblocking_calls_are_joined_by_their_wait(void)
{
    static const char *const texts[] = {
        "MPI_Irecv:0:7:8:13,1,1:1:1:" C2(0) ":64:1\n"
                                            "MPI_Irecv:1:7:8:13,1,1:1:2:" C2(
                                                0) ":72:2\n"
                                                   "MPI_Isend:4:7:8:13,1,1:1:3:" C2(
                                                       0) ":80:5\n"
                                                          "MPI_Waitall:8:3:64:0:9\n"
                                                          "MPI_Wait:9:64:0:9\n"
                                                          "MPI_Send:9:7:8:13,1,1:1:4:" C2(
                                                              0) ":10\n" END,
        "MPI_Isend:0:7:8:13,1,1:0:1:" C2(1) ":64:1\n"
                                            "MPI_Isend:1:7:8:13,1,1:0:2:" C2(
                                                1) ":72:2\n"
                                                   "MPI_Recv:2:7:8:13,1,1:0:3:" C2(
                                                       1) ":0:3\n"
                                                          "MPI_Recv:3:7:8:13,1,1:0:4:" C2(
                                                              1) ":0:4\n" END,
    };
    g_auto(result) r = convert_texts(texts, 2, &DEFAULTS);
    check_rank(&r, 0,
               "recv 8 from 1 #1 c0\n"
               "recv 8 from 1 #2 c0 ~ 0\n"
               "calc 2000000 ~ 1\n"
               "send 8 to 1 #3 c0 < 2\n"
               "calc 3000000 ~ 3\n"
               "send 8 to 1 #4 c0 < 0,1,3,4\n"
               "calc 90000000 < 5\n");
    check_runs(&r);
    CHECK_I64(trace_noticed(r.report.notices, "no call waits for"), 2);
}

static void an_exchange_is_a_send_then_a_receive(void)
{
    static const char *const texts[] = {
        "MPI_Sendrecv:2:1:3:13,1,1:1:12:2:4:13,1,1:1:13:" C2(
            0) ":9:4\n"
               "MPI_Sendrecv:4:1:3:13,1,1:-2:12:2:4:13,1,1:1:15:" C2(
                   0) ":9:6\n"
                      "MPI_Sendrecv_replace:7:1:3:13,1,1:1:16:-2:0:" C2(0) ":9:8\n" END,
        "MPI_Sendrecv:0:1:4:13,1,1:0:13:2:4:13,1,1:0:12:" C2(
            1) ":9:4\n"
               "MPI_Sendrecv_replace:4:1:4:13,1,1:0:15:0:16:" C2(1) ":9:100\n" END,
    };
    g_auto(result) r = convert_texts(texts, 2, &DEFAULTS);
    check_rank(&r, 0,
               "calc 2000000\n"
               "send 3 to 1 #12 c0 < 0\n"
               "recv 4 from 1 #13 c0 ~ 1\n"
               "recv 4 from 1 #15 c0 < 1,2\n"
               "calc 1000000 < 3\n"
               "send 3 to 1 #16 c0 < 4\n"
               "calc 92000000 < 5\n");
    check_runs(&r);
}

static void persistent_requests_happen_when_started(void)
{
    static const char *const texts[] = {
        "MPI_Send_init:0:7:8:13,1,1:1:1:" C2(
            0) ":64:0\n"
               "MPI_Recv_init:0:7:8:13,1,1:1:2:" C2(
                   0) ":72:0\n"
                      "MPI_Startall:1:2:64:1\nMPI_Waitall:1:2:64:0:2\n"
                      "MPI_Startall:2:2:64:2\nMPI_Waitall:2:2:64:0:3\nMPI_Request_free:3:64:"
                      "3\n" END,
        "MPI_Recv:0:7:8:13,1,1:0:1:" C2(1) ":0:1\nMPI_Send:1:7:8:13,1,1:0:2:" C2(
            1) ":1\n"
               "MPI_Recv:1:7:8:13,1,1:0:1:" C2(1) ":0:1\nMPI_Send:1:7:8:13,1,1:0:2:" C2(
                   1) ":1\n" END,
    };
    g_auto(result) r = convert_texts(texts, 2, &DEFAULTS);
    check_rank(&r, 0,
               "calc 1000000\n"
               "send 8 to 1 #1 c0 < 0\n"
               "recv 8 from 1 #2 c0 ~ 1\n"
               "send 8 to 1 #1 c0 < 1,2\n"
               "recv 8 from 1 #2 c0 ~ 3\n"
               "calc 97000000 < 3,4\n");
    check_runs(&r);
}

static void a_cancelled_receive_never_happens(void)
{
    static const char *const texts[] = {
        "MPI_Irecv:0:7:8:13,1,1:0:1:5000000000,0,1:64:0\nMPI_Cancel:1:64:1\n"
        "MPI_Wait:1:64:0:1\n" END,
    };
    g_auto(result) r = convert_texts(texts, 1, &DEFAULTS);
    check_rank(&r, 0, "calc 1000000\ncalc 99000000 < 0\n");
}

/* Ranks 0 and 2, 1 and 3 share a communicator; in the second, keys turn the order round. */
static void ranks_of_communicators_are_translated(void)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < 4; i++) {
        const int me = i % 2 == 0 ? i / 2 : 1 - i / 2;
        g_ptr_array_add(texts,
                        g_strdup_printf("MPI_Comm_split:0:5000000000,%d,4:%d:%d:640:0\n"
                                        "MPI_%s:0:7:8:13,1,1:%d:5:6000000000,%d,2:%s0\n"
                                        "MPI_Barrier:0:6000000000,%d,2:0\n" END,
                                        i, i % 2, i % 2 == 0 ? i : -i, me == 0 ? "Send" : "Recv",
                                        1 - me, me, me == 0 ? "" : "0:", me));
    }
    g_auto(result) r = convert_texts((const char *const *)texts->pdata, 4, &DEFAULTS);
    check_rank(&r, 0,
               "send 8 to 2 #5 c2\nsend 0 to 2 #0 c3 < 0\nrecv 0 from 2 #0 c3 ~ 1\n"
               "calc 100000000 < 1,2\n");
    check_rank(&r, 1,
               "recv 8 from 3 #5 c4\nsend 0 to 3 #0 c5 < 0\nrecv 0 from 3 #0 c5 ~ 1\n"
               "calc 100000000 < 1,2\n");
    check_runs(&r);
}

static void collectives_become_chains(void)
{
    static const char *const texts[] = {
        "MPI_Allreduce:3:1:2:4:10,8,8:2:" C2(0) ":4\nMPI_Bcast:6:1:4:10,8,8:1:" C2(0) ":7\n" END,
        "MPI_Allreduce:3:1:2:4:10,8,8:2:" C2(1) ":4\nMPI_Bcast:6:1:4:10,8,8:1:" C2(1) ":7\n" END,
    };
    sched_convert_options options = DEFAULTS;
    options.reduce = 1000 * SIM_RATE_PER_PS; /* 1 ns/B */
    g_auto(result) r = convert_texts(texts, 2, &options);
    check_rank(&r, 0,
               "calc 3000000\n"
               "send 32 to 1 #0 c1 < 0\n"
               "recv 32 from 1 #0 c1 ~ 1\n"
               "calc 32000 < 1,2\n"
               "calc 2000000 < 3\n"
               "recv 32 from 1 #1 c1 < 4\n"
               "calc 93000000 < 5\n");
    check_runs(&r);
    CHECK_I64(r.report.collectives, 4);
    CHECK_I64(r.report.compute, 196 * SIM_US, "reduction work is not the program's");
}

/* The calc between post and wait overlaps with the barrier: it depends on its start only. */
static void nonblocking_collectives_overlap(void)
{
    static const char *const texts[] = {
        "MPI_Ibarrier:0:" C2(0) ":64:0\nMPI_Wait:30:64:0:31\nMPI_Barrier:31:" C2(0) ":40\n" END,
        "MPI_Ibarrier:0:" C2(1) ":64:0\nMPI_Wait:30:64:0:31\nMPI_Barrier:31:" C2(1) ":40\n" END,
    };
    g_auto(result) r = convert_texts(texts, 2, &DEFAULTS);
    check_rank(&r, 0,
               "send 0 to 1 #0 c1\n"
               "recv 0 from 1 #0 c1 ~ 0\n"
               "calc 30000000 ~ 0\n"
               "send 0 to 1 #1 c1 < 0,1,2\n"
               "recv 0 from 1 #1 c1 ~ 3\n"
               "calc 60000000 < 3,4\n");
    check_runs(&r);
}

static void what_is_left_out_counts_as_computation(void)
{
    static const char *const texts[] = {
        "MPI_Isend:1:7:8:13,1,1:1:3:" C2(0) ":64:2\nMPI_Ibarrier:3:" C2(
            0) ":72:4\n"
               "MPI_Wait:5:64:0:6\nMPI_Wait:8:72:0:9\nMPI_Barrier:10:" C2(0) ":20\n" END,
        "MPI_Recv:1:7:8:13,1,1:0:3:" C2(1) ":0:2\nMPI_Ibarrier:3:" C2(
            1) ":72:4\n"
               "MPI_Wait:8:72:0:9\nMPI_Barrier:10:" C2(1) ":20\n" END,
    };
    sched_convert_options options = DEFAULTS;
    options.no_p2p = true;
    g_auto(result) colls = convert_texts(texts, 2, &options);
    check_rank(&colls, 0,
               "calc 3000000\n" /* with the MPI_Isend in it */
               "send 0 to 1 #0 c1 < 0\nrecv 0 from 1 #0 c1 ~ 1\n"
               "calc 4000000 ~ 1\n" /* with the MPI_Wait for it */
               "calc 1000000 < 1,2,3\n"
               "send 0 to 1 #1 c1 < 4\nrecv 0 from 1 #1 c1 ~ 5\n"
               "calc 80000000 < 5,6\n");
    check_runs(&colls);
    options = DEFAULTS;
    options.no_collectives = true;
    g_auto(result) p2p = convert_texts(texts, 2, &options);
    check_rank(&p2p, 0,
               "calc 1000000\n"
               "send 8 to 1 #3 c0 < 0\n"
               "calc 3000000 ~ 1\n"
               "calc 94000000 < 1,2\n");
    check_runs(&p2p);
}

/* A test that completes nothing is communication, unless that is left out. */
static void idle_tests_are_communication(void)
{
    static const char *const texts[] = {"MPI_Test:2:64:0:0:4\nMPI_Waitall:5:0:64:0:9\n" END};
    sched_convert_options options = DEFAULTS;
    g_auto(result) with = convert_texts(texts, 1, &options);
    check_rank(&with, 0, "calc 2000000\ncalc 1000000 < 0\ncalc 91000000 < 1\n");
    CHECK_I64(trace_noticed(with.report.notices, "2 % of the time is in tests that found nothing, "
                                                 "taken as waiting: MPI_Test 1"),
              1);
    CHECK_I64(trace_noticed(with.report.notices,
                            "4 % of the time is in waits that complete nothing, "
                            "taken as waiting: MPI_Waitall 1"),
              1);
    options.no_p2p = true;
    g_auto(result) without = convert_texts(texts, 1, &options);
    check_rank(&without, 0, "calc 100000000\n");
}

/* Which message meets which receive is open where there are wildcards: sizes are, too. */
static void wildcards_leave_sizes_open(void)
{
    static const char *const texts[] = {
        "MPI_Send:5:7:8:13,1,1:1:1:" C2(0) ":9\nMPI_Send:9:7:2:13,1,1:1:1:" C2(0) ":9\n" END,
        "MPI_Recv:5:7:8:13,1,1:-1:1:" C2(1) ":0:9\nMPI_Recv:9:7:2:13,1,1:0:1:" C2(1) ":0:9\n" END,
    };
    g_auto(result) r = convert_texts(texts, 2, &DEFAULTS);
    check_runs(&r);
}

static void cpu_time_is_taken_where_it_is_recorded(void)
{
    g_autoptr(sched_trace) trace = sched_trace_new("t", "f", 1);
    static const struct {
        int kind;
        sim_time enter, leave, cpu;
    } rows[] = {
        {SCHED_CALL_INIT, 0, 10, 3},         {SCHED_CALL_OTHER, 20, 25, 7},
        {SCHED_CALL_COLLECTIVE, 40, 50, 4}, /* 7, then 5 in the call that is left out, then 4 */
        {SCHED_CALL_COLLECTIVE, 90, 95, -1}, {SCHED_CALL_FINALIZE, 99, 99, 2},
    };
    (void)sched_trace_name(trace, "MPI_X");
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        sched_call *call = sched_rank_append(&trace->ranks[0]);
        call->kind = (uint8_t)rows[i].kind;
        call->enter = rows[i].enter;
        call->leave = rows[i].leave;
        call->cpu = rows[i].cpu;
        call->collective = COLL_BARRIER;
    }
    static const char *const want[] = {"calc 16\ncalc 40 < 0\ncalc 2 < 1\n",
                                       "calc 30\ncalc 40 < 0\ncalc 4 < 1\n"};
    for (int wall = 0; wall < 2; wall++) {
        const sched_convert_options options = {
            .copies = 1, .compute = wall ? SCHED_COMPUTE_WALL : SCHED_COMPUTE_CPU};
        sched_convert_report report = {0};
        g_autoptr(sim_graph) graph = sched_convert(trace, &options, &report, NULL);
        g_autofree char *text = graph_text(graph, 0);
        CHECK_STR(text, want[wall]);
        sched_convert_report_clear(&report);
    }
}

static void recorded_partners_replace_wildcards(void)
{
    g_autoptr(sched_trace) trace = sched_trace_new("t", "f", 2);
    (void)sched_trace_name(trace, "MPI_X");
    for (uint32_t i = 0; i < 4; i++) {
        sched_call *call = sched_rank_append(&trace->ranks[i / 2]);
        call->kind = i < 2 ? SCHED_CALL_SEND : SCHED_CALL_RECV;
        call->bytes = 8;
        call->peer = i < 2 ? 1 : SCHED_ANY;
        call->tag = i < 2 ? i : SCHED_ANY;
        if (i == 2) {
            call->matched_peer = 0;
            call->matched_tag = 1;
        }
    }
    sched_convert_options options = DEFAULTS;
    options.wildcards = SCHED_WILDCARD_RECORDED;
    sched_convert_report report = {0};
    g_autoptr(sim_graph) graph = sched_convert(trace, &options, &report, NULL);
    g_autofree char *text = graph_text(graph, 1);
    CHECK_STR(text, "recv 8 from 0 #1 c0\nrecv 8 from any #any c0 < 0\n");
    CHECK_I64(trace_noticed(report.notices, "does not say what came"), 1);
    sched_convert_report_clear(&report);
}

static void times_that_go_back_are_noticed(void)
{
    static const char *const texts[] = {
        "MPI_Barrier:5:5000000000,0,1:9\nMPI_Barrier:7:5000000000,0,1:11\n" END};
    g_auto(result) r = convert_texts(texts, 1, &DEFAULTS);
    check_rank(&r, 0, "calc 5000000\ncalc 89000000 < 0\n");
    CHECK_I64(trace_noticed(r.report.notices, "start before the one before ends"), 1);
}

static void calls_on_unknown_communicators_are_computation(void)
{
    static const char *const texts[] = {
        "MPI_Barrier:5:6000000000,0,2:9\n"
        "MPI_Irecv:10:7:8:13,1,1:1:1:6000000000,0,2:64:11\n"
        "MPI_Wait:12:64:0:13\n" END,
        "MPI_Neighbor_alltoall:5:0:6\n" END,
    };
    static const char *const names[] = {"a-0.txt", "a-1.txt"};
    g_autofree char *first =
        g_strconcat("MPI_Init:-:1:2:0\nMPI_Barrier:1:" C2(0) ":2\n", texts[0], NULL);
    g_autofree char *second =
        g_strconcat("MPI_Init:-:1:2:0\nMPI_Barrier:1:" C2(1) ":2\n", texts[1], NULL);
    const char *const whole[] = {first, second};
    char *folder = trace_folder_new(names, whole, 2);
    g_auto(result) r = {.trace = sched_trace_read(folder, &r.error)};
    trace_folder_free(folder);
    r.graph = sched_convert(r.trace, &DEFAULTS, &r.report, &r.error);
    check_rank(&r, 0,
               "calc 1000000\nsend 0 to 1 #0 c1 < 0\nrecv 0 from 1 #0 c1 ~ 1\n"
               "calc 98000000 < 1,2\n");
    CHECK_I64(trace_noticed(r.report.notices, "of 2 ranks from a call that is not recorded"), 2);
    CHECK_I64(trace_noticed(r.report.notices, "kept as computation: MPI_Neighbor_alltoall 1"), 1);
}

SUITE_MAIN("convert", TEST(blocking_calls_form_a_chain),
           TEST(nonblocking_calls_are_joined_by_their_wait),
           TEST(an_exchange_is_a_send_then_a_receive),
           TEST(persistent_requests_happen_when_started), TEST(a_cancelled_receive_never_happens),
           TEST(ranks_of_communicators_are_translated), TEST(collectives_become_chains),
           TEST(nonblocking_collectives_overlap), TEST(what_is_left_out_counts_as_computation),
           TEST(idle_tests_are_communication), TEST(wildcards_leave_sizes_open),
           TEST(cpu_time_is_taken_where_it_is_recorded), TEST(recorded_partners_replace_wildcards),
           TEST(times_that_go_back_are_noticed),
           TEST(calls_on_unknown_communicators_are_computation))
