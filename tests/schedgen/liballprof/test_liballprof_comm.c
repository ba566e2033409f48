/* tests/schedgen/liballprof/test_liballprof_comm.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is in a communicator, from handles and what each rank says of itself. */
#include "check.h"
#include "trace_files.h"

/* Four ranks in a 2 x 2 grid; keys turn the order round. */
static void splits_find_their_members(void)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < 4; i++) {
        g_ptr_array_add(texts, g_strdup_printf("MPI_Comm_split:2:5000000000,%d,4:%d:%d:640:3\n"
                                               "MPI_Comm_split:4:5000000000,%d,4:%d:0:648:5\n"
                                               "MPI_Comm_dup:6:5000000000,%d,4:656:7\n"
                                               "MPI_Barrier:8:5000000100,%d,2:9\n"
                                               "MPI_Barrier:10:5000000200,%d,%d:11\n"
                                               "MPI_Barrier:12:5000000300,%d,4:13\n"
                                               "MPI_Comm_free:14:640:15\n"
                                               "MPI_Comm_split:16:5000000200,%d,%d:0:0:640:17\n"
                                               "MPI_Barrier:18:5000000100,%d,%d:19\n"
                                               "MPI_Finalize:90:-\n",
                                               i, i / 2, -i, i, i == 3 ? -32766 : 0, i, 1 - i % 2,
                                               i == 3 ? 0 : i, i == 3 ? 1 : 3, i, i == 3 ? 0 : i,
                                               i == 3 ? 1 : 3, i == 3 ? 0 : i, i == 3 ? 1 : 3));
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = trace_read_texts((const char *const *)texts->pdata, 4, &error);
    if (!CHECK(trace != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    const sched_comm *row = &trace->comms[trace->ranks[0].calls[4].comm];
    CHECK_I64(row->size, 2);
    CHECK_I64(row->members[0], 1, "keys go down");
    CHECK_I64(row->members[1], 0);
    CHECK_I64(trace->ranks[1].calls[4].comm, trace->ranks[0].calls[4].comm);
    const sched_comm *three = &trace->comms[trace->ranks[0].calls[5].comm];
    CHECK_I64(three->size, 3);
    CHECK_I64(trace->ranks[2].calls[5].comm, trace->ranks[0].calls[5].comm);
    CHECK_STR(trace->comms[trace->ranks[3].calls[5].comm].name, "MPI_COMM_SELF");
    const uint32_t dup = trace->ranks[0].calls[6].comm;
    CHECK(dup != 0 && trace->comms[dup].size == 4 && trace->comms[dup].members[3] == 3);
    /* The handle was freed, and now means another communicator. */
    const uint32_t again = trace->ranks[0].calls[9].comm;
    CHECK(again != trace->ranks[0].calls[4].comm && trace->comms[again].size == 3);
    CHECK_I64(trace->ranks[1].calls[9].comm, again);
}

static void created_communicators_get_the_members_that_use_them(void)
{
    static const char *const texts[] = {
        "MPI_Comm_create:2:5000000000,0,4:9:640:3\nMPI_Barrier:8:5000000100,1,2:9\n"
        "MPI_Cart_create:12:5000000000,0,4:1:9:9:0:648:13\nMPI_Barrier:18:5000000200,0,3:19\n"
        "MPI_Cart_sub:22:5000000200,0,3:9:656:23\nMPI_Barrier:28:5000000300,0,2:29\n"
        "MPI_Finalize:90:-\n",
        "MPI_Comm_create:2:5000000000,1,4:9:640:3\n"
        "MPI_Cart_create:12:5000000000,1,4:1:9:9:0:648:13\nMPI_Barrier:18:5000000200,1,3:19\n"
        "MPI_Cart_sub:22:5000000200,1,3:9:656:23\nMPI_Barrier:28:5000000300,0,2:29\n"
        "MPI_Finalize:90:-\n",
        "MPI_Comm_create:2:5000000000,2,4:9:640:3\nMPI_Barrier:8:5000000100,0,2:9\n"
        "MPI_Cart_create:12:5000000000,2,4:1:9:9:0:648:13\n"
        "MPI_Finalize:90:-\n",
        "MPI_Comm_create:2:5000000000,3,4:9:640:3\n"
        "MPI_Cart_create:12:5000000000,3,4:1:9:9:0:648:13\n"
        "MPI_Finalize:90:-\n",
    };
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = trace_read_texts(texts, 4, &error);
    if (!CHECK(trace != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    const sched_comm *created = &trace->comms[trace->ranks[0].calls[2].comm];
    CHECK(created->members != NULL && created->members[0] == 2 && created->members[1] == 0);
    /* Rank 2 never uses the topology, but topologies keep the order unless told not to. */
    const sched_comm *cart = &trace->comms[trace->ranks[0].calls[4].comm];
    CHECK(cart->members != NULL && cart->size == 3 && cart->members[2] == 2);
    /* Two processes claim rank 0 of the sub-topology: who is with whom cannot be known. */
    const sched_comm *sub = &trace->comms[trace->ranks[0].calls[6].comm];
    CHECK(sub->members == NULL && sub->size == 2);
    CHECK(strstr(sub->name, "MPI_Cart_sub at t-0.txt:8") != NULL, "%s", sub->name);
}

/* Freed, a handle may come back for another communicator, even of the same size and rank. */
static void freed_handles_start_anew(void)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < 4; i++) {
        g_ptr_array_add(texts, g_strdup_printf("MPI_Comm_split:2:5000000000,%d,4:%d:0:640:3\n"
                                               "MPI_Barrier:4:5000000100,%d,2:5\n"
                                               "MPI_Comm_free:6:640:7\n"
                                               "MPI_Comm_split:8:5000000000,%d,4:%d:0:640:9\n"
                                               "MPI_Barrier:10:5000000100,%d,2:11\n"
                                               "MPI_Comm_split:12:5000000000,%d,4:0:0:648:13\n"
                                               "MPI_Comm_free:14:648:15\n"
                                               "MPI_Barrier:16:5000000100,%d,2:17\n"
                                               "MPI_Finalize:90:-\n",
                                               i, i / 2, i % 2, i, i % 2, i / 2, i, i / 2));
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = trace_read_texts((const char *const *)texts->pdata, 4, &error);
    if (!CHECK(trace != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    for (uint32_t i = 0; i < 4; i++) {
        const sched_call *calls = trace->ranks[i].calls;
        CHECK_I64(trace->comms[calls[2].comm].members[0], i / 2 * 2, "rank %u", i);
        CHECK_I64(trace->comms[calls[5].comm].members[0], i % 2, "rank %u", i);
        CHECK_I64(calls[8].comm, calls[5].comm, "rank %u: another one was freed", i);
    }
}

/* Rows or columns? Either fits what four processes say of two communicators each. */
static void members_that_are_not_certain_are_not_guessed(void)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < 4; i++) {
        g_ptr_array_add(texts, g_strdup_printf("MPI_Barrier:1:5000000000,%d,4:2\n"
                                               "MPI_Cart_sub:2:5000000000,%d,4:9:640:3\n"
                                               "MPI_Barrier:4:5000000100,%d,2:5\n"
                                               "MPI_Finalize:90:-\n",
                                               i, i, i % 2));
    }
    g_autoptr(sched_trace) trace = trace_read_texts((const char *const *)texts->pdata, 4, NULL);
    if (CHECK(trace != NULL)) {
        const sched_comm *sub = &trace->comms[trace->ranks[3].calls[3].comm];
        CHECK(sub->size == 2 && sub->members == NULL);
    }
}

SUITE_MAIN("liballprof_comm", TEST(splits_find_their_members),
           TEST(created_communicators_get_the_members_that_use_them),
           TEST(freed_handles_start_anew), TEST(members_that_are_not_certain_are_not_guessed))
