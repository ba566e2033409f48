/* tests/apps/mining/test_waits.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "mining/waits.h"

#include "check.h"
#include "mining/calls.h"

enum { SMALL = 1024, LARGE = 1 << 20 };

static sim_time waited(const sched_trace *t, uint32_t rank, uint64_t call)
{
    g_autoptr(app_messages) messages = app_messages_new(t);
    g_autoptr(app_waits) waits = app_waits_new(t, messages);
    return waits->of[rank][call];
}

static void a_receive_waits_until_its_sender_returns(void)
{
    static const struct {
        int64_t bytes;
        sim_time send, sent, recv, received;
        sim_time waits; /* the receive; -1: nobody knows */
    } ROWS[] = {
        {SMALL, 100, 110, 200, 201, 0},  /* it was there */
        {SMALL, 100, 110, 0, 115, 110},  /* late sender */
        {SMALL, 100, 180, 100, 190, 80}, /* slow sender: the rest is its own */
        {SMALL, 100, 110, 0, 105, -1},   /* the message was faster than its sender */
        {SMALL, 100, 110, 111, 200, 0},  /* slow receive */
        {LARGE, 100, 180, 20, 200, 160},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autoptr(sched_trace) t = sched_trace_new("t", "test", 2);
        add_send(t, 0, 1, ROWS[i].bytes, ROWS[i].send, ROWS[i].sent);
        add_recv(t, 1, 0, ROWS[i].bytes, ROWS[i].recv, ROWS[i].received);
        CHECK_I64(waited(t, 1, 0), ROWS[i].waits, "row %zu", i);
    }
}

static void only_a_large_or_synchronous_send_waits_for_its_receiver(void)
{
    static const struct {
        int64_t bytes;
        bool synchronous;
        sim_time sent, recv;
        sim_time waits;
    } ROWS[] = {
        {SMALL, false, 300, 200, 0}, {LARGE, false, 300, 200, 100}, {SMALL, true, 300, 200, 100},
        {LARGE, false, 150, 200, 0}, /* it returned before there was a receiver: it did not wait */
        {LARGE, false, 300, 50, 0},  {LARGE, false, 300, 100, 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autoptr(sched_trace) t = sched_trace_new("t", "test", 2);
        add_send(t, 0, 1, ROWS[i].bytes, 100, ROWS[i].sent);
        t->ranks[0].calls[0].synchronous = ROWS[i].synchronous;
        add_recv(t, 1, 0, ROWS[i].bytes, ROWS[i].recv, 310);
        CHECK_I64(waited(t, 0, 0), ROWS[i].waits, "row %zu", i);
    }
}

/* Posted in time, but nobody looks after it until the receiver waits for it. */
static void a_receiver_is_there_while_it_is_inside_mpi(void)
{
    g_autoptr(sched_trace) t = sched_trace_new("t", "test", 2);
    add_send(t, 0, 1, LARGE, 100, 500);
    add_post(t, 1, false, 0, LARGE, 0, 10, 11);
    add_wait(t, 1, 0, 1, 400, 505);
    CHECK_I64(waited(t, 0, 0), 300);
    CHECK_I64(waited(t, 1, 1), 100);
    CHECK_I64(waited(t, 1, 0), -1, "a post completes nothing");
}

static void a_wait_lasts_until_the_last_of_its_partners_came(void)
{
    g_autoptr(sched_trace) t = sched_trace_new("t", "test", 3);
    add_send(t, 0, 2, SMALL, 40, 50);
    add_send(t, 1, 2, SMALL, 70, 80);
    add_post(t, 2, false, 0, SMALL, 0, 0, 1);
    add_post(t, 2, false, 1, SMALL, 1, 1, 2);
    add_wait(t, 2, 0, 2, 10, 90);
    add_wait(t, 2, 5, 0, 95, 99);
    CHECK_I64(waited(t, 2, 2), 70);
    CHECK_I64(waited(t, 2, 3), -1, "it completes nothing that is known");
    add_send(t, 1, 2, SMALL, 90, 91); /* nobody receives it: then those of rank 1 are not known */
    CHECK_I64(waited(t, 2, 2), -1);
}

static void a_collective_is_judged_where_its_last_member_came(void)
{
    g_autoptr(sched_trace) t = sched_trace_new("t", "test", 3);
    for (uint32_t rank = 0; rank < 3; rank++) {
        add_collective(t, rank, COLL_ALLREDUCE, 8, 100 * (sim_time)rank, 250);
        add_collective(t, rank, COLL_BCAST, 8, 300 - 10 * (sim_time)rank, 350);
        t->ranks[rank].calls[1].root = 1;
    }
    for (uint32_t rank = 0; rank < 3; rank++) {
        CHECK_I64(waited(t, rank, 0), rank == 2 ? 0 : -1, "rank %u", rank);
        CHECK_I64(waited(t, rank, 1), rank == 2 ? -1 : 0, "rank %u: the last, or the root", rank);
    }
    t->ranks[1].num_calls = 1; /* cut short */
    CHECK_I64(waited(t, 0, 1), -1);
}

/* What one wait is told depends on nothing but its own messages. */
static void collectives_that_are_not_waited_for_explain_nothing(void)
{
    g_autoptr(sched_trace) t = sched_trace_new("t", "test", 1);
    add_call(t, 0, SCHED_CALL_ICOLLECTIVE, "MPI_Ibarrier", 0, 1)->request = 0;
    add_wait(t, 0, 0, 1, 2, 3);
    CHECK_I64(waited(t, 0, 1), -1);
}

SUITE_MAIN("waits", TEST(a_receive_waits_until_its_sender_returns),
           TEST(only_a_large_or_synchronous_send_waits_for_its_receiver),
           TEST(a_receiver_is_there_while_it_is_inside_mpi),
           TEST(a_wait_lasts_until_the_last_of_its_partners_came),
           TEST(a_collective_is_judged_where_its_last_member_came),
           TEST(collectives_that_are_not_waited_for_explain_nothing))
