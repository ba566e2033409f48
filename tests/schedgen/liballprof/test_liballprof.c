/* tests/schedgen/liballprof/test_liballprof.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sched/liballprof.h"

#include "check.h"
#include "sched/error.h"
#include "trace_files.h"

static sched_trace *read_one(const char *lines, GError **error)
{
    g_autofree char *text = g_strconcat("# collprof 0.9 output file\n\nMPI_Init:-:1:2:10.5\n",
                                        lines, "MPI_Finalize:900:-\n", NULL);
    return sched_liballprof_read_data("t-0.txt", text, strlen(text), error);
}

/* The third line from the top is MPI_Init; what is given comes after it. */
static const sched_call *call_at(const sched_trace *trace, uint64_t i)
{
    static const sched_call none;
    return trace != NULL && i + 1 < trace->ranks[0].num_calls ? &trace->ranks[0].calls[i + 1]
                                                              : &none;
}

static void times_start_at_the_end_of_init(void)
{
    g_autoptr(sched_trace) trace = read_one("MPI_Wtime:11.5:12\n"
                                            "MPI_Wtime:12.000001:13.2500019\n",
                                            NULL);
    CHECK_I64(call_at(trace, 0)->enter, SIM_US);
    CHECK_I64(call_at(trace, 0)->leave, 1500 * SIM_NS);
    CHECK_I64(call_at(trace, 1)->enter, 1500 * SIM_NS + 1);
    CHECK_I64(call_at(trace, 1)->leave, 2750 * SIM_NS + 1, "below a picosecond nothing counts");
    CHECK_I64(call_at(trace, 2)->kind, SCHED_CALL_FINALIZE);
    CHECK(trace->ranks[0].complete);
}

/* Times since 1970 in ps do not fit 64 bits: only their differences do. */
static void epoch_times_are_exact(void)
{
    static const char text[] = "MPI_Init:-:1:2:1298365588610809\n"
                               "MPI_Wtime:1298365588610827:1298365588610834.000001\n"
                               "MPI_Finalize:1298365588610999:-";
    g_autoptr(sched_trace) trace = sched_liballprof_read_data("t-0", text, strlen(text), NULL);
    CHECK_I64(call_at(trace, 0)->enter, 18 * SIM_US);
    CHECK_I64(call_at(trace, 0)->leave, 25 * SIM_US + 1);
}

static void without_init_time_starts_at_the_first_call(void)
{
    static const char text[] = "MPI_Wtime:500:501\nMPI_Finalize:510:-\n";
    g_autoptr(sched_trace) trace = sched_liballprof_read_data("t-0", text, strlen(text), NULL);
    CHECK_I64(call_at(trace, 0)->enter, 10 * SIM_US);
}

typedef struct p2p_row {
    const char *line;
    int kind;
    int64_t bytes;
    uint32_t peer, tag;
} p2p_row;

/* docs/conversion.md, section 5; Open MPI: -1 any, -2 no process. MPICH: the other way round. */
static void point_to_point_calls_are_read(void)
{
#define COMM  "94811958206816,0,1"
#define MPICH "1140850688,0,1"
    static const p2p_row rows[] = {
        {"MPI_Send:20:7:10:10,8,8:0:42:" COMM ":21\n", SCHED_CALL_SEND, 80, 0, 42},
        {"MPI_Ssend:20:7:1:10,8,18446744073709551615:-2:0:" COMM ":21\n", SCHED_CALL_SEND, 8,
         SCHED_PROC_NULL, 0},
        {"MPI_Send:20:7:1:10,8,8:-1:0:" MPICH ":21\n", SCHED_CALL_SEND, 8, SCHED_PROC_NULL, 0},
        {"MPI_Recv:20:7:3:1,4,4:-1:-1:" COMM ":99:21\n", SCHED_CALL_RECV, 12, SCHED_ANY, SCHED_ANY},
        {"MPI_Recv:20:7:3:1,4,4:-2:-1:" MPICH ":99:21\n", SCHED_CALL_RECV, 12, SCHED_ANY,
         SCHED_ANY},
        {"MPI_Irecv:20:7:5:1,4,4:0:7:" COMM ":64:21\n", SCHED_CALL_IRECV, 20, 0, 7},
        {"MPI_Issend:20:7:5:1,4,4:0:7:" COMM ":64:21\n", SCHED_CALL_ISEND, 20, 0, 7},
        {"MPI_Rsend_init:20:7:5:1,4,4:0:7:" COMM ":64:21\n", SCHED_CALL_SEND_INIT, 20, 0, 7},
        {"MPI_Recv_init:20:7:5:1,4,4:0:7:" COMM ":64:21\n", SCHED_CALL_RECV_INIT, 20, 0, 7},
        {"MPI_Sendrecv_replace:20:7:5:1,4,4:0:7:-1:8:" COMM ":0:21\n", SCHED_CALL_SENDRECV, 20, 0,
         7},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_trace) trace = read_one(rows[i].line, &error);
        const sched_call *call = call_at(trace, 0);
        CHECK(error == NULL, "row %zu: %s", i, error != NULL ? error->message : "");
        CHECK_I64(call->kind, rows[i].kind, "row %zu", i);
        CHECK_I64(call->bytes, rows[i].bytes, "row %zu", i);
        CHECK_I64(call->peer, rows[i].peer, "row %zu", i);
        CHECK_I64(call->tag, rows[i].tag, "row %zu", i);
        CHECK_I64(call->synchronous, strstr(rows[i].line, "MPI_Ss") || strstr(rows[i].line, "Iss"),
                  "row %zu", i);
        CHECK_I64(call->line, 4, "row %zu", i);
    }
}

static void sendrecv_has_two_sides(void)
{
    g_autoptr(sched_trace) trace =
        read_one("MPI_Sendrecv:20:1:3:5,1,1:0:12:2:4:10,8,8:-2:13:" COMM ":9:21\n", NULL);
    const sched_call *call = call_at(trace, 0);
    CHECK_I64(call->bytes, 3);
    CHECK_I64(call->tag, 12);
    CHECK_I64(call->recv_bytes, 32);
    CHECK_I64(call->recv_peer, SCHED_PROC_NULL);
    CHECK_I64(call->recv_tag, 13);
}

typedef struct coll_row {
    const char *line;
    int kind;
    int64_t bytes;
    int64_t first_send, first_recv; /* counts; -1: none */
} coll_row;

static void collectives_are_read(void)
{
    static const coll_row rows[] = {
        {"MPI_Barrier:20:" COMM ":21\n", COLL_BARRIER, 0, -1, -1},
        {"MPI_Bcast:20:7:12:13,1,1:0:" COMM ":21\n", COLL_BCAST, 12, -1, -1},
        {"MPI_Reduce:20:7:8:3:11,8,8:2:0:" COMM ":21\n", COLL_REDUCE, 24, -1, -1},
        {"MPI_Allreduce:20:1:7:4:94811958203744,8,8:2:" COMM ":21\n", COLL_ALLREDUCE, 32, -1, -1},
        {"MPI_Iallreduce:20:1:7:4:10,8,8:2:" COMM ":64:21\n", COLL_ALLREDUCE, 32, -1, -1},
        {"MPI_Ibarrier:20:" COMM ":64:21\n", COLL_BARRIER, 0, -1, -1},
        {"MPI_Exscan:20:1:7:4:10,8,8:2:" COMM ":21\n", COLL_EXSCAN, 32, -1, -1},
        {"MPI_Gather:20:7:2:1,4,4:8:3:10,8,8:0:" COMM ":21\n", COLL_GATHER, 8, -1, -1},
        {"MPI_Gather:20:1:2:1,4,4:8:3:10,8,8:0:" COMM ":21\n", COLL_GATHER, 24, -1, -1},
        {"MPI_Scatter:20:7:2:1,4,4:8:3:10,8,8:0:" COMM ":21\n", COLL_SCATTER, 8, -1, -1},
        {"MPI_Allgather:20:1:0:1,4,4:8:3:10,8,8:" COMM ":21\n", COLL_ALLGATHER, 24, -1, -1},
        {"MPI_Alltoall:20:7:2:1,4,4:8:3:10,8,8:" COMM ":21\n", COLL_ALLTOALL, 8, -1, -1},
        {"MPI_Gatherv:20:7:1:1,4,4:8:9:3:9:0:1,4,4:0:" COMM ":21\n", COLL_GATHERV, 4, -1, 12},
        {"MPI_Gatherv:20:1:7:1,4,4:8:9:3:0:1,4,4:0:" COMM ":21\n", COLL_GATHERV, 12, -1, 12},
        {"MPI_Scatterv:20:7:9:3:9:0:1,4,4:8:5:1,4,4:0:" COMM ":21\n", COLL_SCATTERV, 20, 12, -1},
        {"MPI_Allgatherv:20:7:1:1,4,4:8:9:3:9:0:10,8,8:" COMM ":21\n", COLL_ALLGATHERV, 0, -1, 24},
        {"MPI_Alltoallv:20:7:9:3:9:0:1,4,4:8:9:5:9:0:10,8,8:" COMM ":21\n", COLL_ALLTOALLV, 0, 12,
         40},
        {"MPI_Alltoallv:20:1:0:0:1,4,4:8:9:5:9:0:10,8,8:" COMM ":21\n", COLL_ALLTOALLV, 0, 40, 40},
        {"MPI_Reduce_scatter:20:7:8:9:6:11,8,8:3:" COMM ":21\n", COLL_REDUCE_SCATTER, 0, -1, 48},
        {"MPI_Reduce_scatter_block:20:7:8:6:11,8,8:3:" COMM ":21\n", COLL_REDUCE_SCATTER_BLOCK, 48,
         -1, -1},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_trace) trace = read_one(rows[i].line, &error);
        const sched_call *call = call_at(trace, 0);
        CHECK(error == NULL, "row %zu: %s", i, error != NULL ? error->message : "");
        const bool nonblocking = strncmp(rows[i].line, "MPI_I", 5) == 0;
        CHECK_I64(call->kind, nonblocking ? SCHED_CALL_ICOLLECTIVE : SCHED_CALL_COLLECTIVE);
        CHECK_I64(call->collective, rows[i].kind, "row %zu", i);
        CHECK_I64(call->bytes, rows[i].bytes, "row %zu", i);
        CHECK_I64(call->num_send_counts, rows[i].first_send >= 0, "row %zu", i);
        CHECK_I64(call->num_recv_counts, rows[i].first_recv >= 0, "row %zu", i);
        const int64_t *counts = trace->ranks[0].counts + call->counts;
        if (call->num_send_counts > 0) {
            CHECK_I64(counts[0], rows[i].first_send, "row %zu", i);
        }
        if (call->num_recv_counts > 0) {
            CHECK_I64(counts[call->num_send_counts], rows[i].first_recv, "row %zu", i);
        }
    }
}

/* Three ranks: a list of three numbers looks like a datatype or a communicator. */
static void lists_of_three_are_told_from_types(void)
{
    static const char *const texts[] = {
        "MPI_Gatherv:5:7:1:1,4,4:8:9:1,2,3:9:0,1,3:1,4,4:0:9999999999,0,3:6\nMPI_Finalize:9:-\n",
        "MPI_Gatherv:5:7:2:1,4,4:8:0:0:1,4,4:0:9999999999,1,3:6\nMPI_Finalize:9:-\n",
        "MPI_Gatherv:5:7:3:1,4,4:8:9:1,2,3:9:1,4,4:0:9999999999,2,3:6\nMPI_Finalize:9:-\n",
    };
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = trace_read_texts(texts, 3, &error);
    CHECK(trace != NULL, "%s", error != NULL ? error->message : "");
    for (uint32_t i = 0; trace != NULL && i < 3; i++) {
        const sched_call *call = &trace->ranks[i].calls[1];
        CHECK_I64(call->bytes, 4 * (i + 1));
        CHECK_I64(call->num_recv_counts, i == 0 ? 3 : 0);
    }
}

static void counts_that_are_not_recorded_are_noticed(void)
{
    static const char *const texts[] = {
        "MPI_Alltoallv:5:7:1:2:1,4,4:8:9:9:1,4,4:9999999999,0,2:6\nMPI_Finalize:9:-\n",
        "MPI_Alltoallv:5:7:1:2:1,4,4:8:9:9:1,4,4:9999999999,1,2:6\nMPI_Finalize:9:-\n",
    };
    g_autoptr(sched_trace) trace = trace_read_texts(texts, 2, NULL);
    CHECK_I64(trace->ranks[0].calls[1].kind, SCHED_CALL_OTHER);
    CHECK_I64(trace_noticed(trace->notices, "MPI_Alltoallv: the record has no counts"), 2);
}

static uint64_t only_request(const sched_trace *trace, uint64_t i)
{
    const sched_call *call = call_at(trace, i);
    return call->num_list == 1 ? trace->ranks[0].requests[call->list] : UINT64_MAX;
}

#define ISEND(address)     "MPI_Isend:20:7:1:1,4,4:0:7:" COMM ":" address ":21\n"
#define SEND_INIT(address) "MPI_Send_init:20:7:1:1,4,4:0:7:" COMM ":" address ":21\n"

static void waits_find_their_requests(void)
{
    g_autoptr(sched_trace) trace = read_one(ISEND("64") ISEND("72") ISEND("80") /* 0 1 2 */
                                            "MPI_Wait:22:72:0:23\n"
                                            "MPI_Waitall:24:3:64:0:25\n"
                                            "MPI_Wait:26:64:0:27\n",
                                            NULL);
    CHECK_I64(only_request(trace, 3), 1);
    CHECK_I64(call_at(trace, 4)->num_list, 2);
    CHECK_I64(trace->ranks[0].requests[call_at(trace, 4)->list], 0);
    CHECK_I64(trace->ranks[0].requests[call_at(trace, 4)->list + 1], 2);
    CHECK_I64(call_at(trace, 5)->num_list, 0, "already complete");
}

static void requests_may_be_four_bytes_apart(void)
{
    g_autoptr(sched_trace) trace =
        read_one(ISEND("64") ISEND("68") ISEND("72") ISEND("76") "MPI_Waitall:24:2:64:0:25\n"
                                                                 "MPI_Waitall:26:2:72:0:27\n",
                 NULL);
    for (uint64_t i = 0; i < 2; i++) {
        const sched_call *call = call_at(trace, 4 + i);
        CHECK_I64(call->num_list, 2);
        CHECK_I64(trace->ranks[0].requests[call->list], 2 * i);
        CHECK_I64(trace->ranks[0].requests[call->list + 1], 2 * i + 1);
    }
}

static void persistent_requests_live_on(void)
{
    g_autoptr(sched_trace) trace = read_one(SEND_INIT("64") SEND_INIT("72") /* requests 0 1 */
                                            "MPI_Startall:30:2:64:31\n"
                                            "MPI_Waitall:32:2:64:0:33\n"
                                            "MPI_Start:34:72:35\n"
                                            "MPI_Wait:36:72:0:37\n"
                                            "MPI_Request_free:38:64:39\n"
                                            "MPI_Start:40:64:41\n",
                                            NULL);
    CHECK_I64(call_at(trace, 2)->num_list, 2);
    CHECK_I64(call_at(trace, 3)->num_list, 2);
    CHECK_I64(only_request(trace, 4), 1);
    CHECK_I64(only_request(trace, 5), 1);
    CHECK_I64(call_at(trace, 7)->num_list, 0);
    CHECK_I64(trace_noticed(trace->notices, "never initialised"), 1);
}

/* Which one a Waitany completed is not in the format: the last that can have been it counts. */
static void the_last_possible_completion_counts(void)
{
    g_autoptr(sched_trace) trace = read_one(ISEND("64") ISEND("72") /* 0 1 */
                                            "MPI_Waitany:22:2:64:0:0:23\n"
                                            "MPI_Waitany:24:2:64:0:0:25\n" ISEND("72") /* 2 */
                                            "MPI_Test:27:72:0:0:28\n"
                                            "MPI_Test:29:72:0:0:30\n" ISEND("96"),
                                            NULL);
    CHECK_I64(call_at(trace, 2)->num_list, 0);
    CHECK_I64(call_at(trace, 3)->num_list, 2);
    CHECK_I64(call_at(trace, 5)->num_list, 0);
    CHECK_I64(only_request(trace, 6), 2);
    CHECK_I64(trace_noticed(trace->notices, "wait-any or test"), 3);
}

typedef struct bad_row {
    const char *line;
    const char *want;
} bad_row;

static void bad_lines_are_named(void)
{
    static const bad_row rows[] = {
        {"hello\n", "t-0.txt:4: a record without its times: 'hello'"},
        {"not a:record:1\n", "t-0.txt:4: not a record: 'not a:record:1'"},
        {"MPI_Wtime:x:3\n", "t-0.txt:4: not a time in microseconds: 'x'"},
        {"MPI_Wtime:1.2e5:3\n", "not a time in microseconds: '1.2e5'"},
        {"MPI_Wtime:-3:3\n", "not a time in microseconds: '-3'"},
        {"MPI_Wtime:5:3\n", "t-0.txt:4: a call that ends before it starts: '3'"},
        {"MPI_Wtime:5:18446744073709551615\n", "t-0.txt:4: more than 26 days"},
        {"MPI_Wtime:5:18446744073709551616\n", "not a time in microseconds"},
        {"MPI_Barrier:-:77,0,1:3\n", "not a time in microseconds: '-'"},
        {"MPI_Barrier:1:77,0:3\n", "t-0.txt:4: not the arguments of 'MPI_Barrier'"},
        {"MPI_Barrier:1:77,1,1:3\n", "rank outside of its communicator: '77,1,1'"},
        {"MPI_Barrier:1:77,0,0:3\n", "number out of range: '0'"},
        {"MPI_Send:1:7:1:1,4,4:0:42:77,0,1:5:3\n", "not the arguments of 'MPI_Send'"},
        {"MPI_Send:1:7:-1:1,4,4:0:42:77,0,1:3\n", "number out of range: '-1'"},
        {"MPI_Send:1:7:1:1,4,4:1:42:77,0,1:3\n", "MPI_Send: no such destination '1'"},
        {"MPI_Send:1:7:1:1,4,4:-1:42:77,0,1:3\n", "MPI_Send: no such destination '-1'"},
        {"MPI_Send:1:7:1:1,4,4:0:-1:77,0,1:3\n", "MPI_Send: no such tag '-1'"},
        {"MPI_Send:1:7:9223372036854775807:1,4,4:0:1:77,0,1:3\n", "too many bytes, count '9223"},
        {"MPI_Recv:1:7:1:1,4,4:9:42:77,0,1:0:3\n", "MPI_Recv: no such source '9'"},
        {"MPI_Bcast:1:7:1:1,4,4:1:77,0,1:3\n", "MPI_Bcast: no such root '1'"},
        {"MPI_Allgatherv:1:7:1:1,4,4:8:9:x:9:0:1,4,4:77,0,1:3\n", "not a number: 'x'"},
        {"MPI_Finalize:8:-\n", "a call after MPI_Finalize"},
        {"MPI_Barrier:1:77,0,8:3\n", "rank 1 is missing: 1 files, but t-0.txt:4 has a "
                                     "communicator of '8' ranks"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_trace) trace = read_one(rows[i].line, &error);
        CHECK(trace == NULL, "row %zu", i);
        CHECK_ERROR(error, rows[i].want);
    }
}

static void a_file_that_is_cut_is_refused(void)
{
    static const bad_row rows[] = {
        {"MPI_Init:-:1:2:3\nMPI_Barrier:4:77,0,1:5\nMPI_Bar",
         "t:3: the file ends inside a record 'MPI_Bar'"},
        {"MPI_Init:-:1:2:3\nMPI_Barrier:4:77,0,1:5", "t:2: the file ends inside a record"},
        {"# collprof 0.9 output file\n# host", "t: no records"},
        {"MPI_Init:-:1:2:3\nMPI_Finalize:4:-", NULL},
        {"MPI_Init:-:1:2:3\n", NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_trace) trace =
            sched_liballprof_read_data("t", rows[i].line, strlen(rows[i].line), &error);
        if (rows[i].want != NULL) {
            CHECK(g_error_matches(error, SCHED_ERROR, SCHED_ERROR_INCOMPLETE), "row %zu", i);
            CHECK_ERROR(error, rows[i].want);
        } else if (CHECK(trace != NULL, "row %zu", i)) {
            CHECK_I64(trace->ranks[0].complete, i == 3);
            CHECK_I64(trace_noticed(trace->notices, "without MPI_Finalize"), i != 3);
        }
    }
}

static void a_line_may_be_as_long_as_it_likes(void)
{
    g_autoptr(GString) list = g_string_new("1");
    for (int i = 1; i < 40000; i++) {
        g_string_append(list, ",1");
    }
    g_autofree char *text = g_strdup_printf(
        "MPI_Init:-:1:2:3\nMPI_Allgatherv:4:7:1:1,4,4:8:9:%s:9:1,4,4:77,0,40000:5\n", list->str);
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = sched_liballprof_read_data("t", text, strlen(text), &error);
    CHECK(trace == NULL);
    CHECK_ERROR(error, "a communicator of '40000' ranks"); /* it was read that far */
}

SUITE_MAIN("liballprof", TEST(times_start_at_the_end_of_init), TEST(epoch_times_are_exact),
           TEST(without_init_time_starts_at_the_first_call), TEST(point_to_point_calls_are_read),
           TEST(sendrecv_has_two_sides), TEST(collectives_are_read),
           TEST(lists_of_three_are_told_from_types), TEST(counts_that_are_not_recorded_are_noticed),
           TEST(waits_find_their_requests), TEST(requests_may_be_four_bytes_apart),
           TEST(persistent_requests_live_on), TEST(the_last_possible_completion_counts),
           TEST(bad_lines_are_named), TEST(a_file_that_is_cut_is_refused),
           TEST(a_line_may_be_as_long_as_it_likes))
