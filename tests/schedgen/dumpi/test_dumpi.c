/* tests/schedgen/dumpi/test_dumpi.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of DUMPI: one of four ranks that DUMPI's authors ship, and small ones made here. */
#include "data.h"
#include "dumpi/dumpi_files.h"
#include "graph_text.h"
#include "trace_files.h"

/* ---- a real record --------------------------------------------------------------------------- */

/* Rank 0's calls as dumpi2ascii prints them, in testtrace-0000.txt beside the record: microseconds
 * of both clocks, those of the wall behind 1296777956.737669 s. */
static void record_is_as_dumpi2ascii_prints_it(void)
{
    static const struct {
        const char *name;
        int64_t enter, leave, cpu_enter, cpu_leave, bytes, peer, tag;
    } want[] = {
        {"MPI_Init", 0, 1, 7712, 7716, 0, 0, 0},
        {"MPI_Comm_rank", 25, 29, 7739, 7743, 0, 0, 0},
        {"MPI_Comm_size", 35, 36, 7749, 7751, 0, 0, 0},
        {"MPI_Barrier", 43, 1990, 7757, 8331, 0, 0, 0},
        {"MPI_Isend", 2005, 2020, 8347, 8362, 4, 1, 1337},
        {"MPI_Recv", 2030, 2211, 8373, 8411, 4, 3, 1337},
        {"MPI_Wait", 2219, 2225, 8419, 8425, 0, 0, 0},
        {"MPI_Allreduce", 2240, 2263, 8439, 8462, 4, 0, 0},
        {"MPI_Finalize", 2270, 2646, 8469, 8685, 0, 0, 0},
    };
    g_autofree char *folder = test_data("../cli/data/dumpi");
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = sched_trace_read(folder, &error);
    if (!CHECK(trace != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    CHECK_I64(trace->num_ranks, 4);
    CHECK_I64(trace->ranks[0].num_calls, G_N_ELEMENTS(want));
    const sim_time first = call_of(trace, 0, 0)->enter;
    for (size_t i = 0; i < G_N_ELEMENTS(want); i++) {
        const sched_call *call = call_of(trace, 0, i);
        CHECK_STR(name_of(trace, call), want[i].name, "call %zu", i);
        CHECK_I64(call->enter - first, want[i].enter * SIM_US, "call %zu", i);
        CHECK_I64(call->leave - first, want[i].leave * SIM_US, "call %zu", i);
        CHECK_I64(call->cpu_inside, (want[i].cpu_leave - want[i].cpu_enter) * SIM_US, "call %zu",
                  i);
        CHECK_I64(call->cpu, i == 0 ? -1 : (want[i].cpu_enter - want[i - 1].cpu_leave) * SIM_US,
                  "call %zu", i);
        CHECK_I64(call->bytes, want[i].bytes, "call %zu", i);
        CHECK_I64(call->peer, want[i].peer, "call %zu", i);
        CHECK_I64(call->tag, want[i].tag, "call %zu", i);
    }
    /* The wait is for the send: its status, which nobody wrote, says nothing. */
    CHECK_I64(call_of(trace, 0, 6)->num_list, 1);
    CHECK_I64(trace->ranks[0].requests[call_of(trace, 0, 6)->list], call_of(trace, 0, 4)->request);
    g_autoptr(sim_graph) graph = dumpi_convert(trace);
    CHECK_I64(sim_graph_num_ranks(graph), 4);
    for (uint32_t rank = 0; rank < 4; rank++) {
        CHECK(trace->ranks[rank].complete && trace->notices->len == 0);
    }
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* The same program as liballprof recorded it. */
static void program_is_that_of_another_trace(void)
{
#define C(rank) "5000000000," #rank ",2"
    static const char *const recorded[] = {
        "MPI_Send:5:7:8:13,1,1:1:42:" C(0) ":5\nMPI_Irecv:8:7:16:13,1,1:1:7:" C(
            0) ":64:8\nMPI_Wait:10:64:0:10\nMPI_Allreduce:"
               "10:1:2:4:10,4,4:2:" C(0) ":10\nMPI_Bcast:"
                                         "10:1:100:13,1,1:"
                                         "1:" C(0) ":10\nMPI_Finalize:11:-\n",
        "MPI_Recv:0:7:8:13,1,1:0:42:" C(1) ":0:2\nMPI_Send:3:7:16:13,1,1:0:7:" C(
            1) ":3\nMPI_Allreduce:"
               "3:1:2:4:10,4,4:2:" C(1) ":3\nMPI_Bcast:3:1:100:13,1,1:"
                                        "1:" C(1) ":3\nMPI_Finalize:4:-\n",
    };
#undef C
    GError *error = NULL;
    g_autoptr(sched_trace) other = trace_read_texts(recorded, 2, &error);
    CHECK(other != NULL, "%s", error != NULL ? error->message : "");
    g_clear_error(&error);
    enum { CHAR = 2 };
    GByteArray *files[] = {dumpi_file_new(), dumpi_file_new()};
    GByteArray *a = files[0];
    GByteArray *b = files[1];
    dumpi_record(a, INIT, 0, 0, "4", 0);
    dumpi_record(a, SEND, 5, 5, "42442", 8, CHAR, 1, 42, WORLD);
    dumpi_record(a, IRECV, 8, 8, "424424", 16, CHAR, 1, 7, WORLD, 2);
    dumpi_record(a, WAIT, 10, 10, "4z", 2, 16, 1, 7);
    dumpi_record(a, ALLREDUCE, 10, 10, "4212", 4, INT, 3, WORLD);
    dumpi_record(a, BCAST, 10, 10, "4242", 100, CHAR, 1, WORLD);
    dumpi_record(a, FINALIZE, 11, 11, "");
    dumpi_record(b, INIT, 0, 0, "4", 0);
    dumpi_record(b, RECV, 0, 2, "42442z", 8, CHAR, 0, 42, WORLD, 8, 0, 42);
    dumpi_record(b, SEND, 3, 3, "42442", 16, CHAR, 0, 7, WORLD);
    dumpi_record(b, ALLREDUCE, 3, 3, "4212", 4, INT, 3, WORLD);
    dumpi_record(b, BCAST, 3, 3, "4242", 100, CHAR, 1, WORLD);
    dumpi_record(b, FINALIZE, 4, 4, "");
    g_autoptr(sched_trace) trace = dumpi_read_whole(files, 2);
    if (other == NULL) {
        return;
    }
    g_autoptr(sim_graph) left = dumpi_convert(trace);
    g_autoptr(sim_graph) right = dumpi_convert(other);
    for (uint32_t rank = 0; rank < 2; rank++) {
        g_autofree char *x = graph_text(left, rank);
        g_autofree char *y = graph_text(right, rank);
        CHECK_STR(x, y, "rank %u", rank);
    }
}

static void messages_say_what_came(void)
{
    GByteArray *files[] = {dumpi_file_new()};
    GByteArray *f = files[0];
    dumpi_record(f, RECV, 0, 1, "42442z", 10, INT, -1, -1, WORLD, 8, 0, 5);
    dumpi_record(f, RECV, 1, 2, "42442z", 10, INT, -2, 5, WORLD, 0, -1, -1);
    dumpi_record(f, IRECV, 2, 3, "424424", 10, INT, -1, 6, WORLD, 2);
    dumpi_record(f, WAITALL, 3, 4, "4lz", 1, 1, 2, 12, 0, 6);
    dumpi_record(f, SENDRECV, 4, 5,
                 "42444244"
                 "20",
                 2, INT, 0, 1, 3, INT, 0, 2, WORLD);
    dumpi_record(f, SENDRECV_REPLACE, 5, 6, "42444420", 2, INT, -1, 1, 0, 2, WORLD);
    g_autoptr(sched_trace) trace = dumpi_read_whole(files, 1);
    const sched_call *c = call_of(trace, 0, 0);
    CHECK(c[0].peer == SCHED_ANY && c[0].tag == SCHED_ANY);
    CHECK(c[0].bytes == 8 && c[0].room == 40 && c[0].matched_peer == 0 && c[0].matched_tag == 5);
    CHECK(c[1].peer == SCHED_PROC_NULL && c[1].bytes == 40);
    CHECK(c[2].bytes == 12 && c[2].room == 40 && c[2].matched_peer == 0 && c[2].matched_tag == 6);
    CHECK(c[3].kind == SCHED_CALL_COMPLETE && c[3].num_list == 1);
    CHECK(c[4].bytes == 8 && c[4].recv_bytes == 12 && c[4].tag == 1 && c[4].recv_tag == 2);
    CHECK(c[5].bytes == 8 && c[5].recv_bytes == 8 && c[5].peer == SCHED_PROC_NULL);
    CHECK(c[5].recv_peer == 0 && c[5].recv_tag == 2);
}

static void requests_end_where_a_call_completes_them(void)
{
    GByteArray *files[] = {dumpi_file_new()};
    GByteArray *f = files[0];
    for (int i = 0; i < 4; i++) {
        dumpi_record(f, ISEND, (unsigned)i, (unsigned)i, "424424", 1, INT, 0, i, WORLD, 10 + i);
    }
    dumpi_record(f, TEST, 4, 5, "440", 10, 0);                             /* call 4: not yet */
    dumpi_record(f, WAITANY, 5, 6, "4l40", 2, 2, 10, 11, 1);               /* the second */
    dumpi_record(f, WAITSOME, 6, 7, "4l4l0", 3, 3, 10, 1, 12, 2, 2, 0, 2); /* the first and third */
    dumpi_record(f, ISEND, 7, 8, "424424", 1, INT, 0, 9, WORLD, 10); /* its handle once more */
    dumpi_record(f, TEST, 8, 9, "440", 10, 1);
    dumpi_record(f, SEND_INIT, 9, 10, "424424", 1, INT, 0, 0, WORLD, 20); /* call 9 */
    for (int i = 0; i < 2; i++) {
        dumpi_record(f, START, 10, 11, "4", 20);
        dumpi_record(f, WAIT, 11, 12, "40", 20);
    }
    dumpi_record(f, WAIT, 12, 13, "40", 20); /* it is not active */
    g_autoptr(sched_trace) trace = dumpi_read_whole(files, 1);
    const sched_call *c = call_of(trace, 0, 0);
    const uint64_t *done = trace->ranks[0].requests;
    CHECK_I64(c[4].num_list, 0);
    CHECK(c[5].num_list == 1 && done[c[5].list] == c[1].request);
    CHECK(c[6].num_list == 2 && done[c[6].list] == c[0].request &&
          done[c[6].list + 1] == c[2].request);
    CHECK(c[7].request != c[0].request && c[8].num_list == 1 && done[c[8].list] == c[7].request);
    for (int i = 10; i < 14; i++) {
        CHECK(c[i].num_list == 1 && done[c[i].list] == c[9].request, "call %d", i);
    }
    CHECK_I64(c[14].num_list, 0);
}

/* Only after MPI_Cancel: what nobody wrote may say so, too. */
static void cancelled_receives_are_told_from_others(void)
{
    GByteArray *files[] = {dumpi_file_new()};
    GByteArray *f = files[0];
    dumpi_record(f, IRECV, 0, 1, "424424", 1, INT, -1, 6, WORLD, 2);
    dumpi_record(f, ISEND, 1, 2, "424424", 1, INT, 0, 9, WORLD, 3);
    dumpi_record(f, WAIT, 2, 3, "4Z", 3, 77, 7, 7);
    dumpi_record(f, CANCEL, 3, 4, "4", 2);
    dumpi_record(f, WAIT, 4, 6, "4Z", 2, 0, -1, -1);
    g_autoptr(sched_trace) trace = dumpi_read_whole(files, 1);
    const sched_call *c = call_of(trace, 0, 0);
    CHECK(c[2].kind == SCHED_CALL_COMPLETE && c[2].num_list == 1);
    CHECK(c[4].kind == SCHED_CALL_CANCEL && c[4].num_list == 1 && c[4].leave == c[4].enter);
    CHECK_I64(trace->ranks[0].requests[c[4].list], c[0].request);
    CHECK(c[5].kind == SCHED_CALL_COMPLETE && c[5].num_list == 0);
    CHECK_I64(c[5].leave - c[5].enter, 2 * SIM_US);
}

static void collectives_have_their_bytes_and_counts(void)
{
    GByteArray *files[] = {dumpi_file_new(), dumpi_file_new()};
    for (int rank = 0; rank < 2; rank++) {
        GByteArray *f = files[rank];
        dumpi_record(f, BARRIER, 0, 1, "2", WORLD);
        if (rank == 0) { /* the root */
            dumpi_record(f, GATHER, 1, 2, "4424242", 0, -1, INT, 0, WORLD, 5, INT);
            dumpi_record(f, GATHERV, 2, 3, "444242ll2", 0, 2, 1, INT, 0, WORLD, 2, 1, 2, 2, 0, 1,
                         INT);
            dumpi_record(f, SCATTERV, 3, 4, "4424242ll", 0, 2, INT, 1, INT, 0, WORLD, 2, 1, 2, 2, 0,
                         1);
        } else {
            dumpi_record(f, GATHER, 1, 2, "44242", 1, 5, INT, 0, WORLD);
            if (rank == 1) { /* as older versions wrote it: no type behind the communicator */
                dumpi_record(f, GATHERV, 2, 3, "444242", 1, 2, 2, INT, 0, WORLD);
            }
            dumpi_record(f, SCATTERV, 3, 4, "4424242", 1, 2, INT, 2, INT, 0, WORLD);
        }
        dumpi_record(f, ALLGATHER, 4, 5, "42422", -1, 0, 3, INT, WORLD);
        dumpi_record(f, ALLTOALLV, 5, 6, "4ll2ll22", 2, 2, 1, 2, 2, 0, 1, INT, 2, 1 + rank,
                     1 + rank, 2, 0, 0, INT, WORLD);
        dumpi_record(f, REDUCE_SCATTER, 6, 7, "4l212", 2, 2, 3, 4, INT, 3, WORLD);
    }
    g_autoptr(sched_trace) trace = dumpi_read_whole(files, 2);
    const sched_call *c = call_of(trace, 0, 0);
    const sched_call *d = call_of(trace, 1, 0);
    const int64_t *n = trace->ranks[0].counts;
    static const uint8_t kinds[] = {COLL_BARRIER,       COLL_GATHER,    COLL_GATHERV,
                                    COLL_SCATTERV,      COLL_ALLGATHER, COLL_ALLTOALLV,
                                    COLL_REDUCE_SCATTER};
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        CHECK(c[i].collective == kinds[i] && d[i].collective == kinds[i], "call %zu", i);
        CHECK(c[i].kind == SCHED_CALL_COLLECTIVE && c[i].root == 0, "call %zu", i);
    }
    CHECK(c[1].bytes == 20 && d[1].bytes == 20);
    CHECK(c[2].bytes == 4 && d[2].bytes == 8 && c[2].num_recv_counts == 2 &&
          n[c[2].counts + 1] == 8);
    CHECK(c[3].bytes == 4 && d[3].bytes == 8 && c[3].num_send_counts == 2 &&
          n[c[3].counts + 1] == 8);
    CHECK(c[4].bytes == 12 && d[4].bytes == 12);
    CHECK(c[5].num_send_counts == 2 && c[5].num_recv_counts == 2 && n[c[5].counts + 2] == 4);
    CHECK(c[6].num_recv_counts == 2 && n[c[6].counts + 1] == 16);
    g_autoptr(sim_graph) graph = dumpi_convert(trace);
    CHECK_I64(sim_graph_num_ranks(graph), 2);
}

static void types_of_the_program_have_sizes(void)
{
    GByteArray *files[] = {dumpi_file_new()};
    GByteArray *f = files[0];
    dumpi_record(f, TYPE_VECTOR, 0, 1, "44422", 3, 2, 100, INT, 40);
    dumpi_record(f, TYPE_STRUCT, 1, 2, "4llh2", 2, 2, 1, 5, 2, 0, 24, 2, 40, INT, 41);
    dumpi_record(f, SEND, 2, 3, "42442", 2, 40, 0, 0, WORLD);
    dumpi_record(f, SEND, 3, 4, "42442", 1, 41, 0, 0, WORLD);
    g_autoptr(sched_trace) trace = dumpi_read_whole(files, 1);
    CHECK_I64(call_of(trace, 0, 2)->bytes, 2 * 24);
    CHECK_I64(call_of(trace, 0, 3)->bytes, 24 + 20);
}

/* ---- time ------------------------------------------------------------------------------------ */

static void seconds_go_on_behind_sixteen_bits(void)
{
    GByteArray *files[] = {dumpi_file_new()};
    const size_t second = 3 + 2 + 12; /* of the wall clock, behind the head of a record */
    const size_t begin = files[0]->len;
    dumpi_record(files[0], BARRIER, 0, 1, "2", WORLD);
    dumpi_record(files[0], BARRIER, 0, 1, "2", WORLD);
    const size_t one = (files[0]->len - begin) / 2;
    for (size_t i = 0; i < 2; i++) { /* at 65,535 s */
        memset(files[0]->data + begin + second + 6 * i, 0xff, 2);
    }
    g_autoptr(sched_trace) trace = dumpi_read_whole(files, 1);
    CHECK(one > 0);
    CHECK_I64(call_of(trace, 0, 0)->enter, 65535 * SIM_S);
    CHECK_I64(call_of(trace, 0, 1)->enter, 65536 * SIM_S);
}

static void a_clock_that_was_set_back_is_said(void)
{
    GByteArray *files[] = {dumpi_file_new()};
    dumpi_record(files[0], BARRIER, 10, 20, "2", WORLD);
    dumpi_record(files[0], BARRIER, 15, 12, "2", WORLD);
    g_autoptr(sched_trace) trace = dumpi_read_whole(files, 1);
    CHECK_I64(call_of(trace, 0, 1)->enter, 20 * SIM_US);
    CHECK_I64(call_of(trace, 0, 1)->leave, 20 * SIM_US);
    CHECK_I64(trace->notices->len, 1);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void check_refused(GByteArray *file, const char *want)
{
    g_autoptr(GError) error = NULL;
    dumpi_file_end(file);
    g_autoptr(sched_trace) trace = dumpi_read_files(&file, 1, &error);
    CHECK(trace == NULL, "%s", want);
    CHECK_ERROR(error, want);
    g_byte_array_unref(file);
}

static void faults_are_named_by_file_record_and_value(void)
{
    GByteArray *f = dumpi_file_new();
    dumpi_record(f, SEND, 0, 1, "42442", 1, 300, 0, 0, WORLD);
    check_refused(f, "0: record 1 at byte 16, MPI_Send: a type whose size is not known: '300'");
    f = dumpi_file_new();
    dumpi_record(f, BARRIER, 0, 1, "2", WORLD);
    dumpi_record(f, SEND, 0, 1, "42442", 1, INT, 0, 0, 9);
    check_refused(f, "0: record 2 at byte 47, MPI_Send: a communicator that no call has made: '9'");
    f = dumpi_file_new();
    dumpi_record(f, SEND, 0, 1, "42442", -3, INT, 0, 0, WORLD);
    check_refused(f, "MPI_Send: not a number of elements: '-3'");
    f = dumpi_file_new();
    dumpi_record(f, PUT, 0, 1, "");
    check_refused(f, "0: record 1 at byte 16, MPI_Put: what its record holds is not known, '143'");
    f = dumpi_file_new();
    dumpi_record(f, 999, 0, 1, "");
    check_refused(f, "no function has the number '999'");
    f = dumpi_file_new();
    dumpi_record(f, WAITANY, 0, 1, "4l40", 1, 1, 10, 5);
    check_refused(f, "no request in the list has the number '5'");
    f = dumpi_file_new();
    dumpi_record(f, WAITALL, 0, 1, "44", 1, 1 << 30);
    check_refused(f, "it ends behind the records");
    f = dumpi_file_new();
    dumpi_record(f, BARRIER, 0, 1, "2", WORLD);
    dumpi_record(f, BARRIER, 1, 2, "2", WORLD);
    f->data[f->len - 31 + 4] = 1; /* its thread */
    check_refused(f, "calls of another thread are not read: '1'");
    f = dumpi_file_new();
    dumpi_record(f, BARRIER, 0, 1, "2", WORLD);
    f->data[f->len - 31 + 7] = 0xff; /* nanoseconds */
    check_refused(f, "no nanoseconds of a second: '4278190080'");
}

static void a_file_cut_anywhere_is_refused(void)
{
    g_autofree char *path = test_data("../cli/data/dumpi/testtrace-0000.bin");
    g_autofree char *data = NULL;
    gsize size = 0;
    CHECK(g_file_get_contents(path, &data, &size, NULL));
    const char *const names[] = {"cut"};
    for (size_t n = 0; n < size; n++) {
        g_autofree char *part = g_memdup2(data, n > 0 ? n : 1); /* so that a byte too far is seen */
        const char *const parts[] = {part};
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_trace) trace = sched_dumpi_read_data(names, parts, &n, 1, &error);
        CHECK(trace == NULL && error != NULL, "%zu bytes", n);
    }
}

SUITE_MAIN("dumpi", TEST(record_is_as_dumpi2ascii_prints_it),
           TEST(program_is_that_of_another_trace), TEST(messages_say_what_came),
           TEST(requests_end_where_a_call_completes_them),
           TEST(cancelled_receives_are_told_from_others),
           TEST(collectives_have_their_bytes_and_counts), TEST(types_of_the_program_have_sizes),
           TEST(seconds_go_on_behind_sixteen_bits), TEST(a_clock_that_was_set_back_is_said),
           TEST(faults_are_named_by_file_record_and_value), TEST(a_file_cut_anywhere_is_refused))
