/* apps/tracer/record/record.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/record.h"

#include "record/archive.h"
#include "record/attempt.h"
#include "record/buffer.h"
#include "record/cpu.h"
#include "record/message_size.h"
#include "record/off_cpu.h"
#include "record/replay.h"
#include "record/state.h"

#include <pthread.h>
#include <string.h>

/* Polls less than this much CPU time apart are one waiting loop: nobody computes in there. */
enum { POLL_GAP_NS = 5000 };
/* 32 KiB, some 400 calls: stays in the caches while it is replayed. */
enum { WORDS = 4096, FULL = WORDS - 256 };

static const tracer_listener *listener; /* NULL: nobody */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tracer_call poll; /* a run of unsuccessful polls that is not noted yet */
/* Guarded by the lock. What every call needs is one cache line. */
static struct {
    size_t used;
    size_t complete; /* words of calls that are noted to their end */
    uint64_t calls;
    uint64_t left; /* the last call, ns */
    uint64_t foreign_calls;
    bool poll_pending;
    bool replayed; /* in the middle of the call that is being noted */
} state __attribute__((aligned(64)));
static uint64_t notes[WORDS] __attribute__((aligned(64)));

static _Thread_local bool initialised_mpi __attribute__((tls_model("initial-exec")));
/* CPU time of this thread when it last went from MPI to the program, + 1; 0: never. */
static _Thread_local uint64_t border __attribute__((tls_model("initial-exec")));

void tracer_record_start(void)
{
    initialised_mpi = true;
    memset(notes, 0, sizeof notes); /* now, not by page faults in the program's calls */
}

void tracer_record_listen(const tracer_listener *who)
{
    listener = who;
}

void tracer_enter(tracer_call *c)
{
    tracer_inside = true;
    c->enter = tracer_clock();
    if (border == 0) {
        tracer_off_cpu_thread();
    }
    c->cpu_inside = tracer_cpu(c->enter);
    const uint64_t cpu = c->cpu_inside + 1;
    c->cpu = border == 0 ? -1 : cpu > border ? (int64_t)(cpu - border) : 0;
    tracer_off_cpu_look_before();
}

void tracer_lock(void)
{
    if (tracer.threads) {
        pthread_mutex_lock(&lock);
    }
}

void tracer_unlock(void)
{
    if (tracer.threads) {
        pthread_mutex_unlock(&lock);
    }
}

void tracer_leave(tracer_call *c)
{
    c->leave = tracer_clock();
    const uint64_t cpu = tracer_cpu(c->leave);
    c->cpu_inside = cpu > c->cpu_inside ? cpu - c->cpu_inside : 0;
    tracer_lock();
}

/* The call is over for the program: what it does from here on is computation. */
static void resume(void)
{
    tracer_unlock();
    tracer_off_cpu_look();
    border = tracer_cpu(tracer_clock()) + 1;
    tracer_inside = false;
}

static bool recording(void)
{
    return !tracer.paused && (tracer.events != NULL || listener != NULL);
}

static void replay_all(void *unused)
{
    (void)unused;
    tracer_replay(notes, state.used);
}

static void replay_flushed(void *now)
{
    tracer_replay_flushed(*(const uint64_t *)now);
}

static void attempt(void (*work)(void *data), void *data)
{
    if (tracer.events != NULL && !tracer_attempt(work, data)) {
        tracer_archive_give_up();
    }
}

/* Nobody computes while the buffer is emptied; both who mine and who read the archive must know. */
static void end_flush(void)
{
    uint64_t now = tracer_clock();
    if (listener != NULL && listener->due(now)) {
        listener->write(now);
        now = tracer_clock();
    }
    attempt(replay_flushed, &now);
    if (listener != NULL) {
        listener->flushed(now);
    }
}

/* Empty the buffer into OTF2 and what is worked out here; unless another thread has begun to end
 * the record. */
static void empty(bool call_is_complete)
{
    if (tracer_otf2_begin()) {
        if (listener != NULL) {
            listener->take(notes, state.used);
        }
        attempt(replay_all, NULL);
        if (call_is_complete) {
            end_flush();
        }
        tracer_otf2_end();
    }
    state.used = 0;
    state.complete = 0;
}

/* Room for a note; its first word is written. */
static uint64_t *note(tracer_note kind, uint32_t number, size_t words)
{
    if (state.used + words > WORDS) { /* a call with a long list */
        empty(false);
        state.replayed = true;
    }
    uint64_t *n = &notes[state.used];
    state.used += words;
    n[0] = (uint64_t)kind | (uint64_t)number << 32;
    return n;
}

static uint64_t pair(uint32_t lower, uint32_t upper)
{
    return (uint64_t)lower | (uint64_t)upper << 32;
}

static void note_call(tracer_note kind, const tracer_call *c)
{
    uint64_t *n = note(kind, (uint32_t)c->region, 5);
    n[1] = c->enter;
    n[2] = c->leave;
    n[3] = (uint64_t)(c->cpu + 1);
    n[4] = c->cpu_inside;
    state.left = c->leave;
    state.calls++;
    state.foreign_calls += initialised_mpi ? 0 : 1;
}

static void note_number(tracer_note kind, uint32_t number, uint64_t value)
{
    note(kind, number, 2)[1] = value;
}

static void note_message(tracer_note kind, uint32_t peer, uint32_t comm, uint32_t tag,
                         uint64_t bytes)
{
    uint64_t *n = note(kind, peer, 3);
    n[1] = pair(comm, tag);
    n[2] = bytes;
}

static void note_request(tracer_note kind, uint32_t peer, const tracer_request *r, uint32_t tag,
                         uint64_t bytes)
{
    uint64_t *n = note(kind, peer, 4);
    n[1] = pair(r->comm, tag);
    n[2] = bytes;
    n[3] = r->id;
}

void tracer_attr_i32(tracer_attribute a, int value)
{
    tracer_attr_u64(a, (uint32_t)value);
}

void tracer_attr_u64(tracer_attribute a, uint64_t value)
{
    if (recording()) {
        note_number(NOTE_ATTRIBUTE, a, value);
    }
}

void tracer_attr_comm(uint32_t comm)
{
    tracer_attr_u64(ATTR_COMM, comm);
}

static void note_polls(void)
{
    if (state.poll_pending) {
        state.poll_pending = false;
        note_call(NOTE_POLL, &poll);
    }
}

void tracer_open(tracer_call *c, tracer_region region)
{
    c->region = region;
    if (recording()) {
        note_polls();
        note_call(NOTE_CALL, c);
    }
}

void tracer_close(void)
{
    if (recording()) {
        state.complete = state.used;
        if (state.used > FULL || state.replayed ||
            (listener != NULL && listener->due(state.left))) {
            state.replayed = false;
            empty(true);
        }
    }
    resume();
}

void tracer_plain(tracer_call *c, tracer_region region)
{
    tracer_open(c, region);
    tracer_close();
}

void tracer_poll(tracer_call *c, tracer_region region)
{
    c->region = region;
    if (!recording() || tracer.threads) { /* with threads, polls of several would mix */
        tracer_plain(c, region);
        return;
    }
    if (state.poll_pending && poll.region == region && c->cpu >= 0 && c->cpu < POLL_GAP_NS) {
        poll.leave = c->leave;
        poll.cpu_inside += (uint64_t)c->cpu + c->cpu_inside;
    } else {
        note_polls();
        state.complete = state.used;
        poll = *c;
        state.poll_pending = true;
    }
    resume();
}

static void replay_rest(void *unused)
{
    (void)unused;
    tracer_replay(notes, state.used);
    tracer_replay_leave();
}

bool tracer_record_end(void)
{
    if (!tracer_otf2_begin()) {
        return false;
    }
    state.used = state.complete; /* a call that is being noted has no end yet */
    note_polls();
    if (listener != NULL) {
        listener->take(notes, state.used);
        listener->leave();
    }
    attempt(replay_rest, NULL);
    state.used = 0;
    state.complete = 0;
    return true;
}

void tracer_put_send(const tracer_comm *comm, int peer, int tag, uint64_t bytes)
{
    if (recording() && comm->known && peer != MPI_PROC_NULL) {
        note_message(NOTE_SEND, (uint32_t)peer, comm->id, (uint32_t)tag, bytes);
    }
}

void tracer_put_recv(const tracer_comm *comm, const MPI_Status *status)
{
    if (recording() && comm->known && status->MPI_SOURCE != MPI_PROC_NULL) {
        note_message(NOTE_RECV, (uint32_t)status->MPI_SOURCE, comm->id, (uint32_t)status->MPI_TAG,
                     tracer_status_bytes(status));
    }
}

void tracer_put_post(const tracer_request *r)
{
    if (!recording() || !r->known) {
        return;
    }
    if (r->peer == MPI_PROC_NULL) {
        if (r->persistent) {
            tracer_put_parameter(PARAM_START, r->id);
        } /* else the attribute REQUEST of the Enter says it */
    } else if (r->kind == REQUEST_SEND) {
        note_request(NOTE_ISEND, (uint32_t)r->peer, r, (uint32_t)r->tag, r->bytes);
    } else {
        note_number(NOTE_IRECV, 0, r->id);
    }
}

void tracer_put_complete(const tracer_request *r, const MPI_Status *status)
{
    if (!recording() || !r->known) {
        return;
    }
    if (r->cancelled) {
        note_number(NOTE_CANCELLED, 0, r->id);
    } else if (r->kind == REQUEST_COLLECTIVE) {
        uint64_t *n = note(NOTE_ICOLLECTIVE_DONE, r->collective.op, 5);
        n[1] = pair(r->comm, r->collective.root);
        n[2] = r->collective.sent;
        n[3] = r->collective.received;
        n[4] = r->id;
    } else if (r->peer == MPI_PROC_NULL) {
        tracer_put_parameter(PARAM_COMPLETE, r->id);
    } else if (r->kind == REQUEST_SEND) {
        note_number(NOTE_ISEND_DONE, 0, r->id);
    } else {
        note_request(NOTE_IRECV_DONE, (uint32_t)status->MPI_SOURCE, r, (uint32_t)status->MPI_TAG,
                     tracer_status_bytes(status));
    }
}

void tracer_put_collective(const tracer_comm *comm, const tracer_collective *what)
{
    if (recording() && comm->known) {
        uint64_t *n = note(NOTE_COLLECTIVE, what->op, 4);
        n[1] = pair(comm->id, what->root);
        n[2] = what->sent;
        n[3] = what->received;
    }
}

void tracer_put_collective_post(uint64_t request)
{
    if (recording()) {
        note_number(NOTE_ICOLLECTIVE, 0, request);
    }
}

void tracer_put_parameter(tracer_parameter which, uint64_t value)
{
    if (recording()) {
        note_number(NOTE_PARAMETER, which, value);
    }
}

void tracer_put_counts(tracer_parameter which, const uint64_t *bytes, int n)
{
    for (int i = 0; i < n;) {
        int same = 1;
        while (i + same < n && bytes[i + same] == bytes[i]) {
            same++;
        }
        tracer_put_parameter(which, bytes[i]);
        if (same > 1) {
            tracer_put_parameter(PARAM_REPEAT, (uint64_t)same - 1);
        }
        i += same;
    }
}

uint64_t tracer_calls(void)
{
    return state.calls;
}

uint64_t tracer_calls_of_other_threads(void)
{
    return state.foreign_calls;
}
