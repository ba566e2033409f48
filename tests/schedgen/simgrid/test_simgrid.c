/* tests/schedgen/simgrid/test_simgrid.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sched/simgrid.h"

#include "check.h"
#include "data.h"
#include "graph_text.h"
#include "sched/convert.h"
#include "sched/error.h"
#include "sched/goal.h"
#include "sched/reader.h"
#include "sim/run.h"
#include "trace_files.h"

#include <string.h>

#define MFLOPS 1e6 /* a flop is a microsecond */

static const sched_convert_options WALL = {.copies = 1, .repeat = 1, .compute = SCHED_COMPUTE_WALL};

static sched_trace *read_text(const char *text)
{
    GError *error = NULL;
    sched_trace *trace = sched_simgrid_read_data("t", text, strlen(text), MFLOPS, &error);
    CHECK(trace != NULL, "%s", error != NULL ? error->message : "");
    g_clear_error(&error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
    return trace;
}

static sim_graph *convert(const sched_trace *trace)
{
    sched_convert_report report = {0};
    GError *error = NULL;
    sim_graph *graph = sched_convert(trace, &WALL, &report, &error);
    CHECK(graph != NULL, "%s", error != NULL ? error->message : "");
    g_clear_error(&error);
    sched_convert_report_clear(&report);
    CU_ASSERT_PTR_NOT_NULL_FATAL(graph);
    return graph;
}

static void check_alike(const sim_graph *a, const sim_graph *b)
{
    CHECK_I64(sim_graph_num_ranks(a), sim_graph_num_ranks(b));
    for (uint32_t rank = 0; rank < sim_graph_num_ranks(a); rank++) {
        g_autofree char *left = graph_text(a, rank);
        g_autofree char *right = graph_text(b, rank);
        CHECK_STR(left, right, "rank %u", rank);
    }
}

/* The same program as liballprof recorded it, with the times that the flops take. */
static void program_is_that_of_a_trace_with_times(void)
{
#define C(rank) "5000000000," #rank ",2"
    static const char *const recorded[] = {
        "MPI_Send:5:7:8:13,1,1:1:42:" C(0) ":5\nMPI_Irecv:8:7:16:13,1,1:1:7:" C(
            0) ":64:8\nMPI_Wait:10:64:0:10\nMPI_Allreduce:"
               "10:1:2:4:10,4,4:2:" C(0) ":10\nMPI_Bcast:"
                                         "10:1:100:13,1,1:"
                                         "1:" C(0) ":10\nMP"
                                                   "I_"
                                                   "Finaliz"
                                                   "e:20:-"
                                                   "\n",
        "MPI_Recv:1:7:8:13,1,1:0:42:" C(1) ":9:1\nMPI_Isend:1:7:16:13,1,1:0:7:" C(
            1) ":64:1\nMPI_Wait:5:64:0:5\nMPI_Allreduce:"
               "5:1:2:4:10,4,4:2:" C(1) ":5\nMPI_Bcast:5:"
                                        "1:100:13,1,1:"
                                        "1:" C(1) ":5\nMP"
                                                  "I_"
                                                  "Finali"
                                                  "ze:11:"
                                                  "-\n",
    };
    g_autoptr(sched_trace) ours = read_text("0 init\n0 compute 5\n0 send 1 42 8\n0 compute 3\n"
                                            "1 init\n1 compute 1\n1 recv 0 42 8\n1 isend 0 7 16\n"
                                            "0 irecv 1 7 16\n0 compute 2\n0 wait 1 0 7\n"
                                            "1 compute 4\n1 waitall\n"
                                            "0 allreduce 4 0 1\n0 bcast 100 1\n0 compute 10\n"
                                            "1 allreduce 4 0 1\n1 bcast 100 1\n1 compute 6\n"
                                            "0 finalize\n1 finalize\n");
    g_autoptr(sched_trace) theirs = trace_read_texts(recorded, 2, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(theirs);
    g_autoptr(sim_graph) a = convert(ours);
    g_autoptr(sim_graph) b = convert(theirs);
    check_alike(a, b);
}

static void program_is_that_of_a_schedule(void)
{
    static const char goal[] =
        "num_ranks 2\n"
        "rank 0 {\na: calc 5000\nb: send 100b to 1 tag 1\nc: recv 50b from 1 tag 2\n"
        "d: calc 2500\nb requires a\nc requires b\nd requires c\n}\n"
        "rank 1 {\na: recv 100b from 0 tag 1\nb: calc 3000\nc: send 50b to 0 tag 2\n"
        "b requires a\nc requires b\n}\n";
    g_autoptr(sched_trace) trace = read_text("# a comment\n\n0\tinit\n0 compute 5 # five\r\n"
                                             "0 send 1 1 1e2\n0 recv 1 2 50\n0 compute 2.5\n"
                                             "0 finalize\n1 init\n1 recv 0 1 100\n1 compute 3\n"
                                             "1 send 0 2 50\n1 finalize");
    g_autoptr(sim_graph) ours = convert(trace);
    g_autoptr(sim_graph) theirs = sched_goal_read_data("g", goal, strlen(goal), false, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(theirs);
    static const sim_params params = {
        .L = 2 * SIM_US, .o = SIM_US, .g = SIM_US, .G = SIM_RATE_PER_PS, .S = 64};
    g_autoptr(sim_result) a = sim_run(sim_graph_program(ours), &params, NULL, NULL);
    g_autoptr(sim_result) b = sim_run(sim_graph_program(theirs), &params, NULL, NULL);
    g_assert_nonnull(a);
    g_assert_nonnull(b);
    CHECK_I64(a->num_ops, b->num_ops);
    CHECK_I64(a->finish[0], b->finish[0]);
    CHECK_I64(a->finish[1], b->finish[1]);
}

/* What the fourth action of rank 1 of 3 says, as call or list of bytes. */
static void collectives_have_their_bytes(void)
{
    static const struct {
        const char *action;
        coll_kind kind;
        uint32_t root;
        int64_t bytes;
        int64_t sent[3]; /* -1: none */
        int64_t received[3];
        sim_time computed;
    } row[] = {
        {"barrier", COLL_BARRIER, 0, 0, {-1}, {-1}, 0},
        {"bcast 10", COLL_BCAST, 0, 10, {-1}, {-1}, 0},
        {"bcast 1e1 2 0", COLL_BCAST, 2, 80, {-1}, {-1}, 0},
        {"reduce 10 7", COLL_REDUCE, 0, 10, {-1}, {-1}, 7},
        {"reduce 10 7.5 1 1", COLL_REDUCE, 1, 40, {-1}, {-1}, 7},
        {"allReduce 10 7 3", COLL_ALLREDUCE, 0, 20, {-1}, {-1}, 7},
        {"scan 10 7 4", COLL_SCAN, 0, 80, {-1}, {-1}, 7},
        {"exscan 10 7", COLL_EXSCAN, 0, 10, {-1}, {-1}, 7},
        {"allToAll 10 10 1 1", COLL_ALLTOALL, 0, 40, {-1}, {-1}, 0},
        {"allGather 10 10 0 0", COLL_ALLGATHER, 0, 80, {-1}, {-1}, 0},
        {"gather 10 10 2 1 1", COLL_GATHER, 2, 40, {-1}, {-1}, 0},
        {"scatter 30 10 2 6 1", COLL_SCATTER, 2, 40, {-1}, {-1}, 0},
        {"gatherV 2 1 2 3 1 1 1", COLL_GATHERV, 1, 8, {-1}, {4, 8, 12}, 0},
        {"gatherV 2 1 2 3 2 1 1", COLL_GATHERV, 2, 8, {-1}, {-1}, 0},
        {"scatterV 1 2 3 2 1 1 1", COLL_SCATTERV, 1, 8, {4, 8, 12}, {-1}, 0},
        {"scatterV 1 2 3 2", COLL_SCATTERV, 0, 2, {-1}, {-1}, 0},
        {"allGatherV 2 1 2 3", COLL_ALLGATHERV, 0, 2, {-1}, {1, 2, 3}, 0},
        {"allGatherV 2 1 2 3 1", COLL_ALLGATHERV, 0, 8, {-1}, {4, 8, 12}, 0},
        {"allGatherV 2 1 2 3 1 1", COLL_ALLGATHERV, 0, 8, {-1}, {4, 8, 12}, 0},
        {"allGatherV 2 1 2 3 0 1 3", COLL_ALLGATHERV, 0, 2, {-1}, {1, 2, 3}, 0},
        {"allGatherV 2 1 2 3 1 1 0 1 3", COLL_ALLGATHERV, 0, 8, {-1}, {4, 8, 12}, 0},
        {"alltoallV 9 1 2 3 9 4 5 6", COLL_ALLTOALLV, 0, 0, {1, 2, 3}, {4, 5, 6}, 0},
        {"alltoallV 9 1 2 3 9 4 5 6 1 3", COLL_ALLTOALLV, 0, 0, {4, 8, 12}, {8, 10, 12}, 0},
        {"reduceScatter 1 2 3 7 0", COLL_REDUCE_SCATTER, 0, 0, {-1}, {8, 16, 24}, 7},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *text = g_strdup_printf("0 init\n2 init\n1 init\n1 %s\n1 finalize\n"
                                                "0 finalize\n2 finalize\n",
                                                row[i].action);
        g_autoptr(sched_trace) trace = read_text(text);
        const sched_rank *rank = &trace->ranks[1];
        const sched_call *call = &rank->calls[1];
        CHECK_I64(rank->num_calls, 3, "%s", row[i].action);
        CHECK_I64(call->kind, SCHED_CALL_COLLECTIVE, "%s", row[i].action);
        CHECK_I64(call->collective, row[i].kind, "%s", row[i].action);
        CHECK_I64(call->root, row[i].root, "%s", row[i].action);
        CHECK_I64(call->bytes, row[i].bytes, "%s", row[i].action);
        CHECK_I64(call->num_send_counts, row[i].sent[0] < 0 ? 0 : 3, "%s", row[i].action);
        CHECK_I64(call->num_recv_counts, row[i].received[0] < 0 ? 0 : 3, "%s", row[i].action);
        for (uint32_t k = 0; k < call->num_send_counts; k++) {
            CHECK_I64(rank->counts[call->counts + k], row[i].sent[k], "%s", row[i].action);
        }
        for (uint32_t k = 0; k < call->num_recv_counts; k++) {
            CHECK_I64(rank->counts[call->counts + call->num_send_counts + k], row[i].received[k],
                      "%s", row[i].action);
        }
        /* The reduction is computed after the call. */
        CHECK_I64(call->leave, 0);
        CHECK_I64(rank->calls[2].enter / SIM_US, row[i].computed, "%s", row[i].action);
    }
}

static void elements_are_bytes_or_doubles_as_init_says(void)
{
    g_autoptr(sched_trace) trace =
        read_text("0 init\n1 init 1\n0 send 1 0 5\n1 recv 0 0 5\n0 send 1 0 5 5\n1 recv 0 0 5 2\n"
                  "0 finalize\n1 finalize\n");
    CHECK_I64(trace->ranks[0].calls[1].bytes, 5);
    CHECK_I64(trace->ranks[1].calls[1].bytes, 40);
    CHECK_I64(trace->ranks[0].calls[2].bytes, 20);
    CHECK_I64(trace->ranks[1].calls[2].bytes, 5);
}

static void both_ways_at_once(void)
{
    g_autoptr(sched_trace) trace = read_text("0 init\n1 init\n0 sendRecv 3 1 4 1 1 3\n"
                                             "1 sendRecv 8 0 12 0\n0 finalize\n1 finalize\n");
    const sched_call *call = &trace->ranks[0].calls[1];
    CHECK_I64(call->kind, SCHED_CALL_SENDRECV);
    CHECK_I64(call->bytes, 12);
    CHECK_I64(call->recv_bytes, 8);
    CHECK_I64(call->peer, 1);
    CHECK_I64(call->recv_peer, 1);
    CHECK_I64(trace->ranks[1].calls[1].bytes, 8);
}

static void special_ranks_and_tags(void)
{
    g_autoptr(sched_trace) trace = read_text("0 init\n1 init\n0 send -666 0 5\n0 recv -555 -444 5\n"
                                             "0 irecv -1 -1 5\n0 wait 1 0 3\n1 send 0 2 5\n"
                                             "1 send 0 3 5\n1 test 1 0 9\n"
                                             "0 finalize\n1 finalize\n");
    const sched_call *calls = trace->ranks[0].calls;
    CHECK_I64(calls[1].peer, SCHED_PROC_NULL);
    CHECK_I64(calls[2].peer, SCHED_ANY);
    CHECK_I64(calls[2].tag, SCHED_ANY);
    CHECK_I64(calls[3].matched_peer, 1); /* as its wait says */
    CHECK_I64(calls[4].kind, SCHED_CALL_COMPLETE);
    CHECK_I64(trace_noticed(trace->notices, "test"), 1);
}

/* Requests by (source, destination, tag), the oldest first; all that are open, by waitall and by
 * the end; none, by a wait too many. */
static void waits_find_their_requests(void)
{
    g_autoptr(sched_trace) trace = read_text(
        "0 init\n0 irecv 1 5 1\n0 isend 1 5 1\n0 irecv 1 5 2\n0 isend 1 6 1\n0 wait 0 1 5\n"
        "0 wait 1 0 5\n0 waitall\n0 wait 1 0 5\n0 isend 1 7 1\n0 waitall\n0 waitall\n"
        "0 isend 1 8 1\n0 finalize\n1 init\n1 finalize\n");
    static const struct {
        size_t call;
        uint32_t n;
        uint64_t first; /* requests are numbered as posted */
    } row[] = {{5, 1, 1}, {6, 1, 0}, {7, 2, 2}, {10, 1, 4}, {13, 1, 5}};
    const sched_rank *rank = &trace->ranks[0];
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const sched_call *call = &rank->calls[row[i].call];
        CHECK_I64(call->kind, SCHED_CALL_COMPLETE, "call %zu", row[i].call);
        CHECK_I64(call->num_list, row[i].n, "call %zu", row[i].call);
        CHECK_I64(rank->requests[call->list], row[i].first, "call %zu", row[i].call);
    }
    CHECK_I64(rank->calls[8].kind, SCHED_CALL_OTHER);  /* nothing is open under its name */
    CHECK_I64(rank->calls[11].kind, SCHED_CALL_OTHER); /* nothing is open at all */
    CHECK_I64(trace_noticed(trace->notices, "not open"), 1);
    CHECK_I64(trace_noticed(trace->notices, "no wait names"), 1);
}

static void receives_of_no_size_take_what_comes(void)
{
    g_autoptr(sched_trace) trace = read_text("0 init\n1 init\n0 send 1 1 70\n0 isend 1 2 90\n"
                                             "1 recv 0 1 -1\n1 recv 0 2 0\n0 waitall\n"
                                             "0 finalize\n1 finalize\n");
    CHECK_I64(trace->ranks[1].calls[1].bytes, 90);
    CHECK_I64(trace->ranks[1].calls[2].bytes, 90);
    g_autoptr(sim_graph) graph = convert(trace);
    CHECK_I64(sim_graph_num_ops(graph, 1), 2);
}

static void time_is_flops_by_rate_and_sleep(void)
{
    static const char text[] = "0 init\n0 compute 1e9\n0 barrier\n0 sleep 0.25\n0 comm_size 1\n"
                               "0 comm_split 3\n0 location f.c 12\n0 finalize\n";
    g_autoptr(sched_trace) trace =
        sched_simgrid_read_data("t", text, strlen(text), 3e9, NULL); /* a third of a second */
    g_assert_nonnull(trace);
    const sched_rank *rank = &trace->ranks[0];
    CHECK_I64(rank->calls[1].enter, INT64_C(333333333333));
    CHECK_I64(rank->calls[1].cpu, INT64_C(333333333333));
    CHECK_I64(rank->calls[2].enter, INT64_C(583333333333));
    CHECK_I64(rank->calls[rank->num_calls - 1].kind, SCHED_CALL_FINALIZE);
    CHECK(rank->complete);
    CHECK_I64(trace_noticed(trace->notices, "sleep"), 1);
    CHECK_I64(trace_noticed(trace->notices, "communicators"), 1);
    CHECK_I64(rank->calls[1].line, 3);
}

static void flops_need_a_rate(void)
{
    static const char with[] = "0 init\n0 compute 0\n0 compute 7\n0 finalize\n";
    static const char without[] = "0 init\n0 compute 0\n0 allreduce 8 0\n0 finalize\n";
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) none = sched_simgrid_read_data("t", with, strlen(with), 0, &error);
    CHECK(none == NULL);
    CHECK_ERROR(error, "t:3: flops take a time that --flops-per-second has to say: '7'");
    g_autoptr(sched_trace) some = sched_simgrid_read_data("t", without, strlen(without), 0, NULL);
    CHECK(some != NULL);
}

static void damaged_lines_are_refused_and_named(void)
{
    static const struct {
        const char *lines; /* after "0 init\n1 init\n" */
        const char *message;
    } row[] = {
        {"0 fly 1\n", "t:3: no such action: 'fly'"},
        {"0\n", "t:3: no action of rank '0'"},
        {"x send 1 0 5\n", "t:3: not a whole number from 0 to 2147483647: 'x'"},
        {"-1 init\n", "'-1'"},
        {"5 init\n", "a rank '5', but no more than 3 lines"},
        {"0 init\n", "t:3: a second 'init'"},
        {"0 send 2 0 5\n", "t:3: no such destination: '2'"},
        {"0 send -555 0 5\n", "t:3: no such destination: '-555'"},
        {"0 recv -2 0 5\n", "t:3: no such source: '-2'"},
        {"0 send 1 -1 5\n", "t:3: no such tag: '-1'"},
        {"0 send 1 0\n", "t:3: its form is RANK 'send DESTINATION TAG COUNT [TYPE]'"},
        {"0 send 1 0 5 1 1\n", "t:3: its form is RANK 'send"},
        {"0 send 1 0 -5\n", "t:3: not a number of 0 or more: '-5'"},
        {"0 recv 1 0 -2\n", "t:3: not a number of 0 or more: '-2'"},
        {"0 send 1 0 1.5\n", "t:3: not a number of elements: '1.5'"},
        {"0 send 1 0 1e300\n", "t:3: not a number of elements: '1e300'"},
        {"0 send 1 0 9e15 0\n", NULL},
        {"0 send 1 0 nan\n", "'nan'"},
        {"0 send 1 0 0x10\n", "'0x10'"},
        {"0 send 1 0 5 38\n", "t:3: a type whose size is not known: '38'"},
        {"0 send 1 0 5 -1\n", "'-1'"},
        {"0 compute\n", "its form is RANK 'compute FLOPS'"},
        {"0 compute -1\n", "t:3: not a number of 0 or more: '-1'"},
        {"0 compute inf\n", "'inf'"},
        {"0 compute 1e13\n", "t:3: the rank takes longer than 26 days with '1e13'"},
        {"0 compute 1e12\n1 compute 1\n0 compute 2e12\n", "t:5: the rank takes longer"},
        {"0 sleep 1e300\n", "longer than 26 days"},
        {"0 wait 1 0\n", "its form is RANK 'wait SOURCE DESTINATION TAG'"},
        {"0 wait 1 7 0\n", "no such destination: '7'"},
        {"0 bcast\n", "its form is RANK 'bcast COUNT [ROOT [TYPE]]'"},
        {"0 bcast 5 2\n", "t:3: not a whole number from 0 to 1: '2'"},
        {"0 bcast 5 0 0 0\n", "its form is"},
        {"0 barrier 1\n", "its form is RANK 'barrier'"},
        {"0 gatherv 5 1\n", "its form is RANK 'gatherv"},
        {"0 gatherv 5 1 x\n", "'x'"},
        {"0 allgatherv 5 1 1 0 0 0 0 0\n", "its form is"},
        {"0 alltoallv 5 1 1 5 1 y\n", "'y'"},
        {"0 scatterv 1 1 z\n", "'z'"},
        {"0 reduce 5 -7\n", "'-7'"},
        {"0 finalize\n0 compute 1\n", "t:4: an action after finalize: 'compute'"},
        {"0 init\0 1\n", NULL},
    };
    for (size_t i = 0; i + 1 < G_N_ELEMENTS(row); i++) {
        g_autofree char *text = g_strconcat("0 init\n1 init\n", row[i].lines, NULL);
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_trace) trace =
            sched_simgrid_read_data("t", text, strlen(text), MFLOPS, &error);
        CHECK(trace == NULL, "%s", row[i].lines);
        CHECK_ERROR(error, row[i].message != NULL ? row[i].message : "no finalize of rank '0'");
    }
}

static void what_is_cut_short_is_refused(void)
{
    static const struct {
        const char *text;
        size_t len;
        const char *message;
    } row[] = {
        {"", 0, "but no more than 0 lines"},
        {"0 compute 1\n", 12, "t:1: an action before init: 'compute'"},
        {"0 init\n0 final", 14, "t:2: no such action: 'final'"},
        {"0 init\n", 7, "t: no finalize of rank '0'"},
        {"1 init\n1 finalize\n", 18, "t: no actions of rank '0'"},
        {"0 init\n0 finalize\0\n", 19, "t:2: "}, /* a byte of 0 hides nothing */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_trace) trace =
            sched_simgrid_read_data("t", row[i].text, row[i].len, MFLOPS, &error);
        CHECK(trace == NULL, "row %zu", i);
        CHECK_ERROR(error, row[i].message);
    }
}

/* An index names its files from its folder, the one above, or from anywhere. */
static void lists_of_files_are_found(void)
{
    static const char *const names[] = {"a", "b", "i"};
    static const char *const texts[] = {"0 init\n0 send 1 0 5\n0 finalize\n",
                                        "1 init\n1 recv 0 0 5\n1 finalize\n", "a\nb\n"};
    char *folder = trace_folder_new(names, texts, 3);
    g_autofree char *base = g_path_get_basename(folder);
    g_autofree char *index = g_build_filename(folder, "i", NULL);
    g_autofree char *above = g_strdup_printf("# two\n%s/b\n\n%s/a\n", base, base);
    g_autofree char *absolute = g_strdup_printf("%s/a\n%s/b\n", folder, folder);
    const char *const lists[] = {texts[2], above, absolute};
    for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
        CHECK(g_file_set_contents(index, lists[i], -1, NULL));
        CHECK(sched_reader_find(index) == &sched_reader_simgrid, "%s", lists[i]);
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_trace) trace = sched_simgrid_read(index, 0, &error);
        if (CHECK(trace != NULL, "%s", error != NULL ? error->message : "")) {
            CHECK_I64(trace->num_ranks, 2);
            CHECK(g_str_has_suffix(trace->ranks[1].file, "b"));
        }
        g_auto(GStrv) beside = sched_reader_simgrid.beside(index);
        CHECK_I64(g_strv_length(beside), 2);
    }
    static const char *const bad[][2] = {
        {"a\nc\n", "i:2: no such file: 'c'"},
        {"a\nb 3\n", "i:2: more than the name of a file: '3'"},
        {"a\na\nb\n", "a:1: actions in"},
        {"a\n", "no such destination: '1'"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        CHECK(g_file_set_contents(index, bad[i][0], -1, NULL));
        g_autoptr(GError) error = NULL;
        CHECK(sched_simgrid_read(index, 0, &error) == NULL, "%s", bad[i][0]);
        CHECK_ERROR(error, bad[i][1]);
    }
    trace_folder_free(folder);
}

static void texts_of_others_are_not_taken(void)
{
    static const char *const names[] = {"goal", "numbers", "words", "missing", "itself", "empty"};
    static const char *const texts[] = {"num_ranks 2\nrank 0 {\n}\n",
                                        "0 1\n2 3\n",
                                        "0 hello\n",
                                        "nowhere.txt\n",
                                        "itself\n",
                                        "# nothing\n"};
    char *folder = trace_folder_new(names, texts, G_N_ELEMENTS(names));
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(folder, names[i], NULL);
        CHECK(!sched_simgrid_probe(path), "%s", names[i]);
    }
    CHECK(!sched_simgrid_probe(folder));
    trace_folder_free(folder);
}

/* SimGrid's own examples of replay, one for each collective. */
static void examples_of_simgrid_are_programs(void)
{
    static const struct {
        const char *name;
        uint32_t ranks;
        double seconds; /* computed at 10^9 flops per second, over all ranks */
    } row[] = {{"split_traces", 2, 1},
               {"actions_allgatherv.txt", 4, 0},
               {"actions_allreduce.txt", 3, 3 * 0.5 + 3 * 0.5},
               {"actions_alltoall.txt", 3, 0},
               {"actions_alltoallv.txt", 3, 0},
               {"actions_barrier.txt", 3, 0.098095 + 2 * 0.076296},
               {"actions_bcast.txt", 3, 2 * 1.2 + 3 * 0.5},
               {"actions_bcast_reduce_datatypes.txt", 3, 2 * 1.2 + 3 * 0.5},
               {"actions_gather.txt", 4, 0},
               {"actions_reducescatter.txt", 4, 0.048649842},
               {"actions_waitall.txt", 3, 0},
               {"actions_with_isend.txt", 3, 2 + 1 + 3}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *name = g_strconcat("traces/simgrid-ti/replay/", row[i].name, NULL);
        g_autofree char *path = shared_data(name);
        if (path == NULL) {
            SKIP_TEST("no %s", name);
        }
        CHECK(sched_reader_find(path) == &sched_reader_simgrid, "%s", name);
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_trace) trace = sched_simgrid_read(path, 1e9, &error);
        if (!CHECK(trace != NULL, "%s", error != NULL ? error->message : "")) {
            continue;
        }
        CHECK_I64(trace->num_ranks, row[i].ranks, "%s", name);
        sched_convert_report report = {0};
        g_autoptr(sim_graph) graph = sched_convert(trace, &WALL, &report, &error);
        CHECK(graph != NULL, "%s: %s", name, error != NULL ? error->message : "");
        CHECK_NEAR((double)report.compute / (double)SIM_S, row[i].seconds, 1e-9, "%s", name);
        sched_convert_report_clear(&report);
    }
}

SUITE_MAIN("simgrid", TEST(program_is_that_of_a_trace_with_times),
           TEST(program_is_that_of_a_schedule), TEST(collectives_have_their_bytes),
           TEST(elements_are_bytes_or_doubles_as_init_says), TEST(both_ways_at_once),
           TEST(special_ranks_and_tags), TEST(waits_find_their_requests),
           TEST(receives_of_no_size_take_what_comes), TEST(time_is_flops_by_rate_and_sleep),
           TEST(flops_need_a_rate), TEST(damaged_lines_are_refused_and_named),
           TEST(what_is_cut_short_is_refused), TEST(lists_of_files_are_found),
           TEST(texts_of_others_are_not_taken), TEST(examples_of_simgrid_are_programs))
