/* apps/tracer/record.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracer.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

/* Polls less than this much CPU time apart are one waiting loop: nobody computes in there. */
enum { POLL_GAP_NS = 5000 };
/*
 * The CPU clock costs a system call, ten times the wall clock. Who was off the CPU has been away
 * for longer than this, so within such a span both clocks run alike and the wall clock will do.
 */
enum { SHORT_NS = 5000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t writing;
static OTF2_AttributeList *attributes; /* of the next Enter; guarded by the lock */
static uint64_t last;                  /* latest time written: OTF2 wants them in order */
static uint64_t calls, foreign_calls;
static tracer_call poll; /* a run of unsuccessful polls that is not written yet */
static bool poll_pending;
static pthread_t main_thread;

_Thread_local bool tracer_inside __attribute__((tls_model("initial-exec")));
/* Both clocks of this thread when it last was between program and MPI; wall 0: never. */
static _Thread_local struct {
    uint64_t wall;
    uint64_t cpu;
} border __attribute__((tls_model("initial-exec")));

static uint64_t now(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

uint64_t tracer_clock(void)
{
    return now(CLOCK_MONOTONIC);
}

static void cross_border(void)
{
    const uint64_t wall = now(CLOCK_MONOTONIC);
    const uint64_t since = wall - border.wall;
    border.cpu = since < SHORT_NS ? border.cpu + since : now(CLOCK_THREAD_CPUTIME_ID);
    border.wall = wall;
}

void tracer_enter(tracer_call *c)
{
    tracer_inside = true;
    const bool first = border.wall == 0;
    const uint64_t base = border.cpu;
    cross_border();
    c->cpu = first ? -1 : border.cpu > base ? (int64_t)(border.cpu - base) : 0;
    c->enter = border.wall;
}

void tracer_lock(void)
{
    if (tracer.threads) {
        pthread_mutex_lock(&lock);
    }
    writing = 1;
}

void tracer_unlock(void)
{
    writing = 0;
    if (tracer.threads) {
        pthread_mutex_unlock(&lock);
    }
}

bool tracer_writing(void)
{
    return writing != 0;
}

void tracer_leave(tracer_call *c)
{
    c->leave = now(CLOCK_MONOTONIC);
    tracer_lock();
}

/* The call is over for the program: what it does from here on is computation. */
static void resume(void)
{
    tracer_unlock();
    cross_border();
    tracer_inside = false;
}

static bool recording(void)
{
    return !tracer.paused && tracer.events != NULL;
}

void tracer_attr_i32(tracer_attribute a, int value)
{
    if (recording()) {
        if (attributes == NULL) {
            attributes = OTF2_AttributeList_New();
        }
        OTF2_AttributeList_AddInt32(attributes, (OTF2_AttributeRef)a, value);
    }
}

void tracer_attr_u64(tracer_attribute a, uint64_t value)
{
    if (recording()) {
        if (attributes == NULL) {
            attributes = OTF2_AttributeList_New();
        }
        if (a == ATTR_IN_PLACE) {
            OTF2_AttributeList_AddUint8(attributes, (OTF2_AttributeRef)a, (uint8_t)value);
        } else {
            OTF2_AttributeList_AddUint64(attributes, (OTF2_AttributeRef)a, value);
        }
    }
}

void tracer_attr_comm(uint32_t comm)
{
    if (recording()) {
        if (attributes == NULL) {
            attributes = OTF2_AttributeList_New();
        }
        OTF2_AttributeList_AddCommRef(attributes, ATTR_COMM, comm);
    }
}

static uint64_t in_order(uint64_t time)
{
    last = time > last ? time : last;
    return last;
}

static void write_enter(const tracer_call *c)
{
    if (c->cpu >= 0) {
        tracer_attr_u64(ATTR_CPU, (uint64_t)c->cpu);
    }
    OTF2_EvtWriter_Enter(tracer.events, attributes, in_order(c->enter), (OTF2_RegionRef)c->region);
    calls++;
    if (!pthread_equal(pthread_self(), main_thread)) {
        foreign_calls++;
    }
}

void tracer_flush_polls(void)
{
    if (poll_pending) {
        poll_pending = false;
        /* The attributes under construction are those of the call that comes after the polls. */
        OTF2_AttributeList *theirs = attributes;
        attributes = NULL;
        write_enter(&poll);
        OTF2_EvtWriter_Leave(tracer.events, NULL, in_order(poll.leave),
                             (OTF2_RegionRef)poll.region);
        OTF2_AttributeList_Delete(attributes);
        attributes = theirs;
    }
}

void tracer_open(tracer_call *c, tracer_region region)
{
    c->region = region;
    if (!recording()) {
        return;
    }
    if (calls == 0) {
        main_thread = pthread_self();
    }
    tracer_flush_polls();
    write_enter(c);
}

void tracer_close(tracer_call *c)
{
    if (recording()) {
        OTF2_EvtWriter_Leave(tracer.events, NULL, in_order(c->leave), (OTF2_RegionRef)c->region);
    }
    resume();
}

void tracer_plain(tracer_call *c, tracer_region region)
{
    tracer_open(c, region);
    tracer_close(c);
}

void tracer_poll(tracer_call *c, tracer_region region)
{
    c->region = region;
    if (!recording() || tracer.threads) { /* with threads, polls of several would mix */
        tracer_plain(c, region);
        return;
    }
    if (poll_pending && poll.region == region && c->cpu >= 0 && c->cpu < POLL_GAP_NS) {
        poll.leave = c->leave;
    } else {
        tracer_flush_polls();
        poll = *c;
        poll_pending = true;
    }
    resume();
}

void tracer_put_send(const tracer_call *c, const tracer_comm *comm, int peer, int tag,
                     uint64_t bytes)
{
    if (recording() && comm->known && peer != MPI_PROC_NULL) {
        OTF2_EvtWriter_MpiSend(tracer.events, NULL, in_order(c->enter), (uint32_t)peer, comm->id,
                               (uint32_t)tag, bytes);
    }
}

void tracer_put_recv(const tracer_call *c, const tracer_comm *comm, const MPI_Status *status)
{
    if (recording() && comm->known && status->MPI_SOURCE != MPI_PROC_NULL) {
        OTF2_EvtWriter_MpiRecv(tracer.events, NULL, in_order(c->leave),
                               (uint32_t)status->MPI_SOURCE, comm->id, (uint32_t)status->MPI_TAG,
                               tracer_status_bytes(status));
    }
}

void tracer_put_post(const tracer_call *c, const tracer_request *r)
{
    if (!recording() || !r->known) {
        return;
    }
    if (r->peer == MPI_PROC_NULL) {
        if (r->persistent) {
            tracer_put_parameter(c, PARAM_START, r->id);
        } /* else the attribute REQUEST of the Enter says it */
    } else if (r->kind == REQUEST_SEND) {
        OTF2_EvtWriter_MpiIsend(tracer.events, NULL, in_order(c->enter), (uint32_t)r->peer, r->comm,
                                (uint32_t)r->tag, r->bytes, r->id);
    } else {
        OTF2_EvtWriter_MpiIrecvRequest(tracer.events, NULL, in_order(c->enter), r->id);
    }
}

void tracer_put_complete(const tracer_call *c, const tracer_request *r, const MPI_Status *status)
{
    if (!recording() || !r->known) {
        return;
    }
    const uint64_t time = in_order(c->leave);
    if (r->cancelled) {
        OTF2_EvtWriter_MpiRequestCancelled(tracer.events, NULL, time, r->id);
    } else if (r->kind == REQUEST_COLLECTIVE) {
        OTF2_EvtWriter_NonBlockingCollectiveComplete(
            tracer.events, NULL, time, r->collective.op, r->comm, r->collective.root,
            r->collective.sent, r->collective.received, r->id);
    } else if (r->peer == MPI_PROC_NULL) {
        tracer_put_parameter(c, PARAM_COMPLETE, r->id);
    } else if (r->kind == REQUEST_SEND) {
        OTF2_EvtWriter_MpiIsendComplete(tracer.events, NULL, time, r->id);
    } else {
        OTF2_EvtWriter_MpiIrecv(tracer.events, NULL, time, (uint32_t)status->MPI_SOURCE, r->comm,
                                (uint32_t)status->MPI_TAG, tracer_status_bytes(status), r->id);
    }
}

void tracer_put_collective(const tracer_call *c, const tracer_comm *comm,
                           const tracer_collective *what)
{
    if (recording() && comm->known) {
        OTF2_EvtWriter_MpiCollectiveBegin(tracer.events, NULL, in_order(c->enter));
        OTF2_EvtWriter_MpiCollectiveEnd(tracer.events, NULL, in_order(c->leave), what->op, comm->id,
                                        what->root, what->sent, what->received);
    }
}

void tracer_put_collective_post(const tracer_call *c, uint64_t request)
{
    if (recording()) {
        OTF2_EvtWriter_NonBlockingCollectiveRequest(tracer.events, NULL, in_order(c->enter),
                                                    request);
    }
}

void tracer_put_parameter(const tracer_call *c, tracer_parameter which, uint64_t value)
{
    if (recording()) {
        OTF2_EvtWriter_ParameterUnsignedInt(tracer.events, NULL, in_order(c->enter),
                                            (OTF2_ParameterRef)which, value);
    }
}

void tracer_put_counts(const tracer_call *c, tracer_parameter which, const uint64_t *bytes, int n)
{
    for (int i = 0; i < n;) {
        int same = 1;
        while (i + same < n && bytes[i + same] == bytes[i]) {
            same++;
        }
        tracer_put_parameter(c, which, bytes[i]);
        if (same > 1) {
            tracer_put_parameter(c, PARAM_REPEAT, (uint64_t)same - 1);
        }
        i += same;
    }
}

uint64_t tracer_calls(void)
{
    return calls;
}

uint64_t tracer_calls_of_other_threads(void)
{
    return foreign_calls;
}
