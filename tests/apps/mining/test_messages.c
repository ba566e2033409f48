/* tests/apps/mining/test_messages.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "mining/messages.h"

#include "check.h"
#include "mining/calls.h"

/* All messages, one a line: "from:send,sent > to:recv,received bytes"; then "alone rank:call,done".
 */
static char *text_of(const sched_trace *t)
{
    g_autoptr(app_messages) m = app_messages_new(t);
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < m->num_messages; i++) {
        const app_message *e = &m->messages[i];
        g_string_append_printf(text, "%u:%d,%d > %u:%d,%d %" PRId64 "\n", e->from, (int)e->send,
                               (int)e->sent, e->to, (int)e->recv, (int)e->received, e->bytes);
    }
    for (size_t i = 0; i < m->num_lonely; i++) {
        const app_lonely *e = &m->lonely[i];
        g_string_append_printf(text, "alone %u:%d,%d\n", e->rank, (int)e->call, (int)e->done);
    }
    return g_string_free(text, FALSE);
}

static void sends_meet_receives_in_order(void)
{
    g_autoptr(sched_trace) t = sched_trace_new("t", "test", 2);
    add_send(t, 0, 1, 10, 0, 1);
    add_post(t, 0, true, 1, 20, 0, 2, 3);
    add_send(t, 0, SCHED_PROC_NULL, 99, 3, 4);
    add_wait(t, 0, 0, 1, 4, 5);
    add_post(t, 1, false, 0, 0, 5, 0, 1);
    add_recv(t, 1, 0, 20, 2, 3);
    add_wait(t, 1, 5, 1, 4, 5);
    g_autofree char *text = text_of(t);
    CHECK_STR(text, "0:0,0 > 1:0,2 10\n0:1,3 > 1:1,1 20\n");
}

static void tags_and_communicators_keep_messages_apart(void)
{
    g_autoptr(sched_trace) t = sched_trace_new("t", "test", 3);
    uint32_t *members = g_new(uint32_t, 2);
    members[0] = 2;
    members[1] = 0;
    const uint32_t comm = sched_trace_add_comm(t, "pair", 2, members);
    add_send(t, 0, 2, 1, 0, 1);
    add_send(t, 0, 2, 2, 1, 2);
    t->ranks[0].calls[1].tag = 7;
    add_send(t, 0, 0, 3, 2, 3); /* rank 0 of the communicator is rank 2 */
    t->ranks[0].calls[2].comm = comm;
    add_recv(t, 2, 1, 3, 0, 1);
    t->ranks[2].calls[0].comm = comm;
    add_recv(t, 2, 0, 2, 1, 2);
    t->ranks[2].calls[1].tag = 7;
    add_recv(t, 2, 0, 1, 2, 3);
    g_autofree char *text = text_of(t);
    CHECK_STR(text, "0:0,0 > 2:2,2 1\n0:1,1 > 2:1,1 2\n0:2,2 > 2:0,0 3\n");
}

static void what_came_settles_wildcards(void)
{
    g_autoptr(sched_trace) t = sched_trace_new("t", "test", 3);
    add_send(t, 0, 2, 1, 0, 1);
    add_send(t, 1, 2, 2, 0, 1);
    add_recv(t, 2, SCHED_ANY, 1, 0, 1);
    add_recv(t, 2, SCHED_ANY, 1, 1, 2);
    for (int i = 0; i < 2; i++) {
        t->ranks[2].calls[i].tag = SCHED_ANY;
        t->ranks[2].calls[i].matched_peer = (uint32_t)(1 - i);
        t->ranks[2].calls[i].matched_tag = 0;
    }
    g_autofree char *text = text_of(t);
    CHECK_STR(text, "0:0,0 > 2:1,1 1\n1:0,0 > 2:0,0 2\n");
    t->ranks[2].calls[0].matched_peer = SCHED_UNKNOWN;
    g_autofree char *less = text_of(t);
    CHECK_STR(less, "0:0,0 > 2:1,1 1\nalone 1:0,0\nalone 2:0,0\n");
}

static void persistent_requests_are_messages_each_time(void)
{
    g_autoptr(sched_trace) t = sched_trace_new("t", "test", 2);
    sched_call *init = add_call(t, 0, SCHED_CALL_SEND_INIT, "MPI_Send_init", 0, 1);
    init->peer = 1;
    init->bytes = 8;
    init->request = 3;
    for (int i = 0; i < 2; i++) {
        const uint64_t list = sched_rank_add_request(&t->ranks[0], 3);
        sched_call *start = add_call(t, 0, SCHED_CALL_START, "MPI_Start", 10, 11);
        start->list = list;
        start->num_list = 1;
        add_wait(t, 0, 3, 1, 12, 13);
        add_recv(t, 1, 0, 8, 10, 14);
    }
    g_autofree char *text = text_of(t);
    CHECK_STR(text, "0:1,2 > 1:0,0 8\n0:3,4 > 1:1,1 8\n");
}

static void both_ways_of_an_exchange_are_messages(void)
{
    g_autoptr(sched_trace) t = sched_trace_new("t", "test", 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        sched_call *c = add_call(t, rank, SCHED_CALL_SENDRECV, "MPI_Sendrecv", 0, 5);
        c->peer = 1 - rank;
        c->recv_peer = 1 - rank;
        c->bytes = 1 + rank;
    }
    g_autofree char *text = text_of(t);
    CHECK_STR(text, "1:0,0 > 0:0,0 2\n0:0,0 > 1:0,0 1\n");
}

/* A record that is cut short; requests that are cancelled, or of collectives. */
static void what_has_no_other_end_is_alone(void)
{
    g_autoptr(sched_trace) t = sched_trace_new("t", "test", 2);
    add_send(t, 0, 1, 1, 0, 1);
    add_send(t, 0, 1, 1, 1, 2);
    add_recv(t, 1, 0, 1, 0, 1);
    add_post(t, 1, false, 0, 1, 0, 2, 3);
    const uint64_t list = sched_rank_add_request(&t->ranks[1], 0);
    sched_call *cancel = add_call(t, 1, SCHED_CALL_CANCEL, "MPI_Wait", 3, 4);
    cancel->list = list;
    cancel->num_list = 1;
    add_call(t, 1, SCHED_CALL_ICOLLECTIVE, "MPI_Ibarrier", 4, 5)->request = 1;
    add_wait(t, 1, 1, 1, 5, 6);
    g_autofree char *text = text_of(t);
    CHECK_STR(text, "alone 0:0,0\nalone 0:1,1\nalone 1:0,0\nalone 1:3,4\n");
}

SUITE_MAIN("messages", TEST(sends_meet_receives_in_order),
           TEST(tags_and_communicators_keep_messages_apart), TEST(what_came_settles_wildcards),
           TEST(persistent_requests_are_messages_each_time),
           TEST(both_ways_of_an_exchange_are_messages), TEST(what_has_no_other_end_is_alone))
