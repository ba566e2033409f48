/* tests/schedgen/convert/test_convert_room.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* How large a message a receive takes that may meet several. */
#include "check.h"
#include "graph_text.h"
#include "sched/convert.h"
#include "sched/replay.h"
#include "sim/run.h"
#include "trace_files.h"
#include "trace_write.h"

static const sim_params MACHINE = {.L = 2 * SIM_US, .o = SIM_US, .g = SIM_US, .S = 100000};
static const sched_convert_options DEFAULTS = {.copies = 1};

enum { SMALL = 224, LARGE = 304 }; /* bytes */

static sched_call *add(sched_trace *trace, uint32_t rank, sched_call_kind kind, const char *name,
                       int64_t at_us)
{
    sched_call *call = sched_rank_append(&trace->ranks[rank]);
    call->kind = (uint8_t)kind;
    call->name = sched_trace_name(trace, name);
    call->enter = at_us * SIM_US;
    call->leave = call->enter + SIM_US;
    return call;
}

static void add_send(sched_trace *trace, uint32_t rank, int64_t bytes, int64_t at_us)
{
    sched_call *send = add(trace, rank, SCHED_CALL_SEND, "MPI_Send", at_us);
    send->bytes = bytes;
    send->tag = rank;
}

static void add_recv(sched_trace *trace, uint32_t asked, uint32_t came_from, int64_t came,
                     int64_t room, int64_t at_us)
{
    sched_call *recv = add(trace, 0, SCHED_CALL_RECV, "MPI_Recv", at_us);
    recv->peer = asked;
    recv->tag = asked == SCHED_ANY ? SCHED_ANY : asked;
    recv->matched_peer = recv->matched_tag = came_from;
    recv->bytes = came;
    recv->room = room;
}

/*
 * Ranks 1 and 2 race to rank 0. The small message came first in the record; without whatever kept
 * rank 2 back, the large one does.
 */
static sched_trace *race(int64_t room, bool looks_first)
{
    sched_trace *trace = sched_trace_new("race", "by hand", 3);
    for (uint32_t rank = 0; rank < 3; rank++) {
        trace->ranks[rank].file = g_strdup_printf("rank-%u", rank);
        (void)add(trace, rank, SCHED_CALL_INIT, "MPI_Init", 0);
    }
    if (looks_first) {
        (void)add(trace, 0, SCHED_CALL_OTHER, "MPI_Probe", 2);
    }
    add_recv(trace, SCHED_ANY, 1, SMALL, room < 0 ? -1 : MAX(room, SMALL), 3);
    add_recv(trace, SCHED_ANY, 2, LARGE, room < 0 ? -1 : MAX(room, LARGE), 90);
    add_send(trace, 1, SMALL, 50);
    add_send(trace, 2, LARGE, 10);
    for (uint32_t rank = 0; rank < 3; rank++) {
        (void)add(trace, rank, SCHED_CALL_FINALIZE, "MPI_Finalize", 100);
    }
    return trace;
}

static sched_trace *through_otf2(const sched_trace *trace)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *dir = g_dir_make_tmp("ripple-room-XXXXXX", NULL);
    trace_write_otf2(trace, dir);
    sched_trace *back = sched_trace_read(dir, &error);
    CHECK(back != NULL, "%s", error != NULL ? error->message : "");
    trace_write_remove(dir);
    return back;
}

/* The error of the run, or "". Stored and replayed say the same. Owned by the caller. */
static char *run(const sched_trace *trace, const sched_convert_options *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GError) replay_error = NULL;
    sched_convert_report report = {0};
    g_autoptr(sim_graph) graph = sched_convert(trace, options, &report, &error);
    sched_convert_report_clear(&report);
    if (!CHECK(graph != NULL, "%s", error != NULL ? error->message : "")) {
        return g_strdup(error->message);
    }
    g_autoptr(sim_result) stored = sim_run(sim_graph_program(graph), &MACHINE, NULL, &error);
    sim_program *program = sched_replay_new(trace, options, &report, NULL);
    g_autoptr(sim_result) replayed = sim_run(program, &MACHINE, NULL, &replay_error);
    sched_convert_report_clear(&report);
    sim_program_free(program);
    CHECK((stored == NULL) == (replayed == NULL), "stored and replayed differ");
    return g_strdup(stored != NULL ? "" : error->message);
}

static void check_run(const sched_trace *trace, const char *want, const char *name)
{
    g_autofree char *said = run(trace, &DEFAULTS);
    CHECK(*want == '\0' ? *said == '\0' : strstr(said, want) != NULL, "%s: '%s'", name, said);
}

/* Before, what had come was taken for the room: the run died of it. */
static void messages_may_come_in_another_order(void)
{
    g_autoptr(sched_trace) old = race(-1, false);
    g_autoptr(sched_trace) new = race(LARGE, false);
    g_autoptr(sched_trace) old_back = through_otf2(old);
    g_autoptr(sched_trace) new_back = through_otf2(new);
    check_run(old, "", "room not recorded");
    check_run(new, "", "room recorded");
    check_run(old_back, "", "room not recorded, OTF2");
    check_run(new_back, "", "room recorded, OTF2");
    CHECK_I64(old_back->ranks[0].calls[1].room, -1);
    CHECK_I64(new_back->ranks[0].calls[1].room, LARGE);
    CHECK_I64(new_back->ranks[0].calls[1].bytes, SMALL);
}

static void a_room_that_is_too_small_is_still_an_error(void)
{
    g_autoptr(sched_trace) trace = race(0, false);
    g_autoptr(sched_trace) back = through_otf2(trace);
    check_run(back, "receive of 224 bytes", "posted as large as what came");
}

/* The buffer was made for the message that the probe found. */
static void who_looks_first_takes_what_comes(void)
{
    g_autoptr(sched_trace) trace = race(0, true);
    g_autoptr(sched_trace) back = through_otf2(trace);
    check_run(back, "", "after a probe");
}

/* As received in the record, nothing else can come: sizes are those of the record. */
static void recorded_partners_have_recorded_sizes(void)
{
    g_autoptr(sched_trace) trace = race(5000, false);
    const sched_convert_options recorded = {.copies = 1, .wildcards = SCHED_WILDCARD_RECORDED};
    sched_convert_report report = {0};
    g_autoptr(sim_graph) graph = sched_convert(trace, &recorded, &report, NULL);
    g_autofree char *text = graph_text(graph, 0);
    CHECK_STR(text, "calc 2000000\nrecv 224 from 1 #1 c0 < 0\ncalc 86000000 < 1\n"
                    "recv 304 from 2 #2 c0 < 2\ncalc 9000000 < 3\n");
    sched_convert_report_clear(&report);
}

/* A named receive may get another message of its source if one with a wildcard took the first. */
static void named_receives_beside_wildcards_take_what_comes(void)
{
    g_autoptr(sched_trace) trace = sched_trace_new("race", "by hand", 3);
    for (uint32_t rank = 0; rank < 3; rank++) {
        trace->ranks[rank].file = g_strdup_printf("rank-%u", rank);
    }
    add_recv(trace, SCHED_ANY, 1, SMALL, 5000, 3);
    add_recv(trace, 2, 2, SMALL, -1, 50);
    add_recv(trace, SCHED_ANY, 2, LARGE, 5000, 60);
    add_send(trace, 1, SMALL, 50);
    add_send(trace, 2, SMALL, 10);
    add_send(trace, 2, LARGE, 20);
    sched_convert_report report = {0};
    g_autoptr(sim_graph) graph = sched_convert(trace, &DEFAULTS, &report, NULL);
    g_autofree char *text = graph_text(graph, 0);
    CHECK_STR(text, "recv 5000 from any #any c0\ncalc 46000000 < 0\nrecv 304 from 2 #2 c0 < 1\n"
                    "calc 9000000 < 2\nrecv 5000 from any #any c0 < 3\n");
    sched_convert_report_clear(&report);
    check_run(trace, "", "a named receive beside wildcards");
}

/* Copies do not communicate: the largest message is that of one of them. */
static void copies_have_the_same_room(void)
{
    g_autoptr(sched_trace) trace = race(-1, false);
    const sched_convert_options options = {.copies = 3, .repeat = 2};
    g_autofree char *said = run(trace, &options);
    CHECK_STR(said, "");
}

SUITE_MAIN("convert_room", TEST(messages_may_come_in_another_order),
           TEST(a_room_that_is_too_small_is_still_an_error), TEST(who_looks_first_takes_what_comes),
           TEST(recorded_partners_have_recorded_sizes),
           TEST(named_receives_beside_wildcards_take_what_comes), TEST(copies_have_the_same_room))
