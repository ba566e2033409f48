/* tests/schedgen/convert/test_convert_lonely.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages without a partner, that nothing in the record waits for. */
#include "check.h"
#include "convert_texts.h"
#include "sched/replay.h"

static const sched_convert_options TWICE = {
    .copies = 2, .repeat = 3, .compute = SCHED_COMPUTE_WALL};

/* @p n messages from rank 0 to rank 1, then what each does besides. */
static result convert(int n, const char *more_of_0, const char *more_of_1,
                      const sched_convert_options *options)
{
    g_autoptr(GString) a = g_string_new(NULL);
    g_autoptr(GString) b = g_string_new(NULL);
    for (int i = 0; i < n; i++) {
        g_string_append(a, "MPI_Send:5:7:8:13,1,1:1:1:" C2(0) ":5\n");
        g_string_append(b, "MPI_Recv:5:7:8:13,1,1:0:1:" C2(1) ":0:5\n");
    }
    g_string_append_printf(a, "%s%s", more_of_0, END);
    g_string_append_printf(b, "%s%s", more_of_1, END);
    const char *const texts[] = {a->str, b->str};
    return convert_texts(texts, 2, options);
}

#define IRECV(source, tag, request)                                                                \
    "MPI_Irecv:10:7:64:13,1,1:" #source ":" #tag ":" C2(1) ":" #request ":11\n"
#define ISEND(bytes, request)                                                                      \
    "MPI_Isend:10:7:" #bytes ":13,1,1:1:9:" C2(0) ":" #request ":11\nMPI_Wait:12:" #request        \
                                                  ":0:13\n"

/* The trace replayed does as the graph of it: as many operations, the same makespan. */
static void check_replay(const result *r, const sched_convert_options *options)
{
    g_autoptr(GError) error = NULL;
    sched_convert_report report = {0};
    sim_program *program = sched_replay_new(r->trace, options, &report, &error);
    if (CHECK(program != NULL && r->graph != NULL, "%s", error != NULL ? error->message : "")) {
        g_autoptr(sim_result) a = sim_run(program, &MACHINE, NULL, NULL);
        g_autoptr(sim_result) b = sim_run(sim_graph_program(r->graph), &MACHINE, NULL, NULL);
        CHECK(a != NULL && b != NULL && a->num_ops == b->num_ops && a->makespan == b->makespan);
        CHECK_I64(report.notices->len, r->report.notices->len);
        CHECK_I64(report.compute, r->report.compute);
        CHECK_I64(report.p2p, r->report.p2p);
    }
    sim_program_free(program);
    sched_convert_report_clear(&report);
}

/* A server keeps a receive posted; a program ends with requests that it has forgotten. */
static void receives_that_nothing_completes_are_left_out(void)
{
    static const char *const rows[] = {
        IRECV(0, 7, 640),                   /* of a source and tag */
        IRECV(-1, -1, 640),                 /* of any */
        IRECV(0, 1, 640) IRECV(-1, 3, 640), /* two, in one variable */
        "MPI_Recv_init:8:7:64:13,1,1:0:7:" C2(1) ":640:9\nMPI_Start:9:640:10\n", /* persistent */
    };
    static const uint64_t count[] = {1, 1, 2, 1};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(result) r = convert(3, "", rows[i], &TWICE);
        check_runs(&r);
        CHECK_I64(trace_noticed(r.report.notices, "no message reaches, and no call completes"),
                  count[i], "row %zu", i);
        CHECK_I64(trace_noticed(r.report.notices, "nothing follows"), 0, "row %zu", i);
        check_replay(&r, &TWICE);
    }
}

/* It gets the last message, although no call says so: it is no different from before. */
static void what_gets_a_message_stays(void)
{
    g_auto(result) r =
        convert(3, "MPI_Send:10:7:8:13,1,1:1:7:" C2(0) ":11\n", IRECV(-1, 7, 640), &DEFAULTS);
    check_runs(&r);
    CHECK_I64(trace_noticed(r.report.notices, "no message reaches"), 0);
    CHECK_I64(trace_noticed(r.report.notices, "nothing follows"), 1);
}

static void a_receive_that_is_awaited_is_not_left_out(void)
{
    g_auto(result) r = convert(3, "", IRECV(0, 7, 640) "MPI_Wait:12:640:0:13\n", &DEFAULTS);
    CHECK_ERROR(r.error, "MPI_Irecv (rank 1 from 0, tag 7) gets no message");
}

/* One of a hundred messages that is small enough to be gone before anybody asks for it. */
static void small_sends_that_nobody_receives_are_left_out(void)
{
    static const struct {
        int n;
        const char *more;
        const char *error;
    } rows[] = {
        {120, ISEND(8, 640), NULL},
        {120, "MPI_Send:5:7:8:13,1,1:1:9:" C2(0) ":5\n", NULL},
        {220, ISEND(8, 640) ISEND(4096, 640), NULL},
        {120, ISEND(4097, 640), "MPI_Isend (rank 0 to 1, tag 9) is received by nobody"},
        {120, ISEND(8, 640) ISEND(8, 640), "is received by nobody"}, /* too many to be chance */
        {9, ISEND(8, 640), "is received by nobody"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(result) r = convert(rows[i].n, rows[i].more, "", &TWICE);
        if (rows[i].error == NULL) {
            check_runs(&r);
            CHECK(trace_noticed(r.report.notices, "sends of at most 4096 bytes") > 0, "row %zu", i);
            check_replay(&r, &TWICE);
        } else {
            CHECK_ERROR(r.error, rows[i].error);
        }
    }
}

SUITE_MAIN("convert_lonely", TEST(receives_that_nothing_completes_are_left_out),
           TEST(what_gets_a_message_stays), TEST(a_receive_that_is_awaited_is_not_left_out),
           TEST(small_sends_that_nobody_receives_are_left_out))
