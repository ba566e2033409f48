/* tests/schedgen/model/test_trace.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sched/trace.h"

#include "check.h"
#include "sched/error.h"
#include "trace_files.h"

static void a_new_trace_has_the_world(void)
{
    g_autoptr(sched_trace) trace = sched_trace_new("p", "f", 3);
    CHECK_I64(trace->num_comms, 1);
    CHECK_STR(trace->comms[0].name, "MPI_COMM_WORLD");
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_I64(trace->comms[0].members[i], i);
    }
}

static void names_are_kept_once(void)
{
    g_autoptr(sched_trace) trace = sched_trace_new("p", "f", 1);
    const uint32_t send = sched_trace_name(trace, "MPI_Send");
    const uint32_t recv = sched_trace_name(trace, "MPI_Recv");
    CHECK(send != recv);
    CHECK_I64(sched_trace_name(trace, "MPI_Send"), send);
    CHECK_STR(g_ptr_array_index(trace->names, recv), "MPI_Recv");
}

static void pools_grow_and_keep_what_they_hold(void)
{
    g_autoptr(sched_trace) trace = sched_trace_new("p", "f", 1);
    sched_rank *rank = &trace->ranks[0];
    for (uint32_t i = 0; i < 1000; i++) {
        sched_call *call = sched_rank_append(rank);
        CHECK_I64(call->enter, 0);
        CHECK(call->request == SCHED_NO_REQUEST && call->cpu == -1);
        call->line = i;
        CHECK_I64(sched_rank_add_request(rank, i + 7U), i);
        CHECK_I64(sched_rank_add_count(rank, -(int64_t)i), i);
    }
    for (uint32_t i = 0; i < 1000; i++) {
        CHECK_I64(rank->calls[i].line, i);
        CHECK_I64(rank->requests[i], i + 7U);
        CHECK_I64(rank->counts[i], -(int64_t)i);
    }
}

static void communicators_grow_and_keep_what_they_hold(void)
{
    g_autoptr(sched_trace) trace = sched_trace_new("p", "f", 1);
    for (uint32_t i = 1; i < 100; i++) {
        CHECK_I64(sched_trace_add_comm(trace, "c", i, NULL), i);
    }
    for (uint32_t i = 1; i < 100; i++) {
        CHECK_I64(trace->comms[i].size, i);
    }
}

static void notices_add_up(void)
{
    g_autoptr(sched_trace) trace = sched_trace_new("p", "f", 1);
    sched_trace_notice(trace, 2, "calls of %s", "MPI_Put");
    sched_trace_notice(trace, 1, "something else");
    sched_trace_notice(trace, 3, "calls of MPI_%s", "Put");
    CHECK_I64(trace->notices->len, 2);
    CHECK_I64(trace_noticed(trace->notices, "calls of MPI_Put"), 5);
}

static void what_is_no_trace_is_refused(void)
{
    static const char *const name[] = {"x.txt"};
    static const char *const text[] = {"num_ranks 2\n"};
    char *folder = trace_folder_new(name, text, 1);
    g_autofree char *file = g_build_filename(folder, name[0], NULL);
    g_autofree char *missing = g_build_filename(folder, "missing", NULL);
    const char *paths[] = {file, folder, missing};
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_trace) trace = sched_trace_read(paths[i], &error);
        CHECK(trace == NULL && g_error_matches(error, SCHED_ERROR, SCHED_ERROR_NOT_RECOGNISED));
        CHECK_ERROR(error, paths[i]);
    }
    trace_folder_free(folder);
}

SUITE_MAIN("trace", TEST(a_new_trace_has_the_world), TEST(names_are_kept_once),
           TEST(pools_grow_and_keep_what_they_hold),
           TEST(communicators_grow_and_keep_what_they_hold), TEST(notices_add_up),
           TEST(what_is_no_trace_is_refused))
