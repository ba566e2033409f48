/* tests/schedgen/trace_random.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Random recorded programs: messages of all sorts, some awaited late, some never; collectives,
 * blocking or not, on the world and on halves of it, several of them under way at once; and calls
 * that are not converted. Whoever writes them down needs nothing but what is in the calls: the
 * halves are made by MPI_Comm_split, with a communicator's number as its colour.
 */
#pragma once

#include "sched/trace.h"

typedef struct trace_random {
    GRand *rand;
    sched_trace *trace;
    sim_time *now;    /* [num_ranks] */
    GArray **pending; /* [num_ranks] of uint64_t: requests */
    uint64_t requests;
    uint32_t tags;
} trace_random;

static inline uint32_t trace_random_below(trace_random *t, uint32_t n)
{
    return (uint32_t)g_rand_int_range(t->rand, 0, (gint32)n);
}

/* A call of @p rank, a while after its last one. */
static inline sched_call *trace_random_call(trace_random *t, uint32_t rank, sched_call_kind kind,
                                            const char *name)
{
    sched_call *call = sched_rank_append(&t->trace->ranks[rank]);
    const sim_time pause = trace_random_below(t, 3) == 0 ? 0 : trace_random_below(t, 40000);
    call->kind = (uint8_t)kind;
    call->name = sched_trace_name(t->trace, name);
    call->enter = t->now[rank] + pause * SIM_NS;
    call->leave = call->enter + SIM_US;
    t->now[rank] = call->leave;
    return call;
}

static inline void trace_random_post(trace_random *t, uint32_t rank, sched_call *call)
{
    call->request = t->requests++;
    g_array_append_val(t->pending[rank], call->request);
}

/* One message; each side blocks or not. A receive may take what comes. */
static inline void trace_random_message(trace_random *t, uint32_t n)
{
    const uint32_t from = trace_random_below(t, n);
    const uint32_t to = trace_random_below(t, n);
    const int64_t bytes = trace_random_below(t, 3000);
    const uint32_t tag = t->tags++;
    const bool posted = from == to || trace_random_below(t, 3) > 0;
    sched_call *send = trace_random_call(t, from, posted ? SCHED_CALL_ISEND : SCHED_CALL_SEND,
                                         posted ? "MPI_Isend" : "MPI_Send");
    send->peer = to;
    send->tag = tag;
    send->bytes = bytes;
    if (posted) {
        trace_random_post(t, from, send);
    }
    const bool expected = trace_random_below(t, 3) > 0;
    sched_call *recv = trace_random_call(t, to, expected ? SCHED_CALL_IRECV : SCHED_CALL_RECV,
                                         expected ? "MPI_Irecv" : "MPI_Recv");
    const bool any = trace_random_below(t, 8) == 0;
    recv->peer = any ? SCHED_ANY : from;
    recv->tag = tag;
    recv->bytes = bytes;
    recv->room = bytes + (any ? INT64_C(1000) * trace_random_below(t, 3) : 0);
    recv->matched_peer = from;
    recv->matched_tag = tag;
    if (expected) {
        trace_random_post(t, to, recv);
    }
}

static inline void trace_random_shift(trace_random *t, uint32_t n)
{
    const uint32_t d = 1 + trace_random_below(t, n - 1);
    const uint32_t tag = t->tags++;
    for (uint32_t rank = 0; rank < n; rank++) {
        sched_call *call = trace_random_call(t, rank, SCHED_CALL_SENDRECV, "MPI_Sendrecv");
        call->peer = (rank + d) % n;
        call->recv_peer = (rank + n - d) % n;
        call->tag = call->recv_tag = tag;
        call->bytes = call->recv_bytes = call->room = tag % 1500;
    }
}

/* "MPI_Iallreduce" */
static inline char *trace_random_name(coll_kind kind, bool posted)
{
    g_autofree char *name = g_strdup(coll_kind_name(kind));
    if (!posted) {
        name[0] = g_ascii_toupper(name[0]);
    }
    return g_strconcat(posted ? "MPI_I" : "MPI_", name, NULL);
}

/* A call whose time is computation, or a test that finds nothing. */
static inline void trace_random_other(trace_random *t, uint32_t n)
{
    static const char *const names[] = {"MPI_Probe",
                                        "MPI_Iprobe",
                                        "MPI_Test",
                                        "MPI_Put",
                                        "MPI_Win_fence",
                                        "MPI_File_write_at_all",
                                        "MPI_Comm_free",
                                        "MPI_Comm_rank",
                                        "MPI_Neighbor_allgather",
                                        "MPIX_Nobody_knows_it"};
    const uint32_t which = trace_random_below(t, G_N_ELEMENTS(names));
    const bool test = g_str_equal(names[which], "MPI_Test");
    (void)trace_random_call(t, trace_random_below(t, n),
                            test ? SCHED_CALL_COMPLETE : SCHED_CALL_OTHER, names[which]);
}

static inline void trace_random_collective(trace_random *t)
{
    static const coll_kind kinds[] = {COLL_BARRIER,   COLL_BCAST,    COLL_REDUCE,
                                      COLL_ALLREDUCE, COLL_GATHER,   COLL_SCATTER,
                                      COLL_ALLGATHER, COLL_ALLTOALL, COLL_REDUCE_SCATTER_BLOCK,
                                      COLL_SCAN,      COLL_EXSCAN};
    const uint32_t comm = trace_random_below(t, t->trace->num_comms);
    const sched_comm *members = &t->trace->comms[comm];
    const coll_kind kind = kinds[trace_random_below(t, G_N_ELEMENTS(kinds))];
    const uint32_t root = trace_random_below(t, members->size);
    const int64_t bytes =
        INT64_C(500) * trace_random_below(t, 5); /* now and then nothing is to be done */
    const bool posted = trace_random_below(t, 2) > 0;
    g_autofree char *name = trace_random_name(kind, posted);
    for (uint32_t m = 0; m < members->size; m++) {
        sched_call *call = trace_random_call(
            t, members->members[m], posted ? SCHED_CALL_ICOLLECTIVE : SCHED_CALL_COLLECTIVE, name);
        call->collective = (uint8_t)kind;
        call->comm = comm;
        call->root = root;
        call->bytes = bytes;
        if (posted) {
            trace_random_post(t, members->members[m], call);
        }
    }
}

/* Complete some of what is pending at a rank, or all. */
static inline void trace_random_wait(trace_random *t, uint32_t rank, bool all)
{
    GArray *pending = t->pending[rank];
    sched_call *call = trace_random_call(t, rank, SCHED_CALL_COMPLETE, "MPI_Waitsome");
    call->list = t->trace->ranks[rank].num_requests;
    for (guint i = pending->len; i > 0; i--) {
        if (all || trace_random_below(t, 2) > 0) {
            (void)sched_rank_add_request(&t->trace->ranks[rank],
                                         g_array_index(pending, uint64_t, i - 1));
            g_array_remove_index_fast(pending, i - 1);
            call->num_list++;
        }
    }
}

/** A program of 2..9 ranks in @p steps steps. Owned by the caller. */
static inline sched_trace *trace_random_new(GRand *rand, uint32_t steps)
{
    const uint32_t n = (uint32_t)g_rand_int_range(rand, 2, 10);
    trace_random t = {.rand = rand, .trace = sched_trace_new("random", "random", n)};
    t.now = g_new0(sim_time, n);
    t.pending = g_new(GArray *, n);
    for (uint32_t half = 0; half < 2; half++) { /* the upper one counts downwards */
        const uint32_t size = half == 0 ? n / 2 : n - n / 2;
        uint32_t *members = g_new(uint32_t, size);
        for (uint32_t m = 0; m < size; m++) {
            members[m] = half == 0 ? m : n - 1 - m;
        }
        (void)sched_trace_add_comm(t.trace, half == 0 ? "low" : "high", size, members);
    }
    for (uint32_t rank = 0; rank < n; rank++) {
        t.pending[rank] = g_array_new(FALSE, FALSE, sizeof(uint64_t));
        t.trace->ranks[rank].file = g_strdup_printf("rank-%u", rank);
        (void)trace_random_call(&t, rank, SCHED_CALL_INIT, "MPI_Init");
        (void)trace_random_call(&t, rank, SCHED_CALL_OTHER, "MPI_Comm_split");
    }
    for (uint32_t i = 0; i < steps; i++) {
        switch (trace_random_below(&t, 9)) {
        case 0:
            trace_random_shift(&t, n);
            break;
        case 1:
        case 2:
            trace_random_collective(&t);
            break;
        case 3:
        case 4:
            trace_random_wait(&t, trace_random_below(&t, n), trace_random_below(&t, 2) > 0);
            break;
        case 5:
            trace_random_other(&t, n);
            break;
        default:
            trace_random_message(&t, n);
        }
    }
    for (uint32_t rank = 0; rank < n; rank++) {
        if (trace_random_below(&t, 3) > 0) { /* else some are never waited for */
            trace_random_wait(&t, rank, true);
        }
        (void)trace_random_call(&t, rank, SCHED_CALL_FINALIZE, "MPI_Finalize");
        g_array_unref(t.pending[rank]);
    }
    g_free(t.pending);
    g_free(t.now);
    return t.trace;
}
