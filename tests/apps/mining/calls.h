/* tests/apps/mining/calls.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Calls of recorded runs, written down by hand. Times in ps. */
#pragma once

#include "sched/trace.h"

static inline sched_call *add_call(sched_trace *t, uint32_t rank, sched_call_kind kind,
                                   const char *name, sim_time enter, sim_time leave)
{
    sched_call *c = sched_rank_append(&t->ranks[rank]);
    c->kind = (uint8_t)kind;
    c->name = sched_trace_name(t, name);
    c->enter = enter;
    c->leave = leave;
    return c;
}

static inline void add_send(sched_trace *t, uint32_t rank, uint32_t to, int64_t bytes,
                            sim_time enter, sim_time leave)
{
    sched_call *c = add_call(t, rank, SCHED_CALL_SEND, "MPI_Send", enter, leave);
    c->peer = to;
    c->bytes = bytes;
}

static inline void add_recv(sched_trace *t, uint32_t rank, uint32_t from, int64_t bytes,
                            sim_time enter, sim_time leave)
{
    sched_call *c = add_call(t, rank, SCHED_CALL_RECV, "MPI_Recv", enter, leave);
    c->peer = from;
    c->bytes = bytes;
}

static inline void add_post(sched_trace *t, uint32_t rank, bool send, uint32_t peer, int64_t bytes,
                            uint64_t request, sim_time enter, sim_time leave)
{
    sched_call *c = add_call(t, rank, send ? SCHED_CALL_ISEND : SCHED_CALL_IRECV,
                             send ? "MPI_Isend" : "MPI_Irecv", enter, leave);
    c->peer = peer;
    c->bytes = bytes;
    c->request = request;
}

/* Complete requests first..first + n - 1. */
static inline void add_wait(sched_trace *t, uint32_t rank, uint64_t first, uint32_t n,
                            sim_time enter, sim_time leave)
{
    const uint64_t list = t->ranks[rank].num_requests;
    for (uint32_t i = 0; i < n; i++) {
        (void)sched_rank_add_request(&t->ranks[rank], first + i);
    }
    sched_call *c = add_call(t, rank, SCHED_CALL_COMPLETE, "MPI_Waitall", enter, leave);
    c->list = list;
    c->num_list = n;
}

static inline void add_collective(sched_trace *t, uint32_t rank, coll_kind kind, int64_t bytes,
                                  sim_time enter, sim_time leave)
{
    sched_call *c = add_call(t, rank, SCHED_CALL_COLLECTIVE, coll_kind_name(kind), enter, leave);
    c->collective = (uint8_t)kind;
    c->bytes = bytes;
}
