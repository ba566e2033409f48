/* apps/ripple/mining/waits.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "mining/waits.h"

#include "mining/call_at.h"
#include "mining/meetings.h"
#include "noise/event_type.h"

/* While messages are gone through: the instant until which each call waited, or one of these. */
#define NOTHING (-SIM_TIME_MAX) /* it needs nothing of others */
#define UNKNOWN SIM_TIME_MAX

typedef struct bounds {
    const sched_trace *trace;
    sim_time **until; /* [ranks][calls] */
} bounds;

static const sched_call *call_at(const bounds *b, uint32_t rank, uint32_t call)
{
    return &b->trace->ranks[rank].calls[call];
}

/* The call needs something that is there from @p when on. */
static void need(const bounds *b, uint32_t rank, uint32_t call, sim_time when)
{
    sim_time *until = &b->until[rank][call];
    *until = MAX(*until, when);
}

/*
 * From when on is @p rank inside MPI, not before @p when, in its call number @p first or a later
 * one? Libraries make progress while their process is inside them.
 */
static sim_time present(const bounds *b, uint32_t rank, uint32_t first, sim_time when)
{
    const sched_rank *r = &b->trace->ranks[rank];
    const uint64_t at = app_call_at(r, first, when);
    return at < r->num_calls ? MAX(when, r->calls[at].enter) : SIM_TIME_MAX;
}

/* May the library ask the receiver before it sends? */
static bool is_large(const app_message *m)
{
    return m->bytes > NOISE_EVENT_EAGER_BYTES || m->synchronous;
}

/*
 * The call that completes the receive needs the message: it is on its way when the sender returns
 * from the call that sends it. A large one that is not waited for there may have to be asked for.
 * Who had it before the sender returned waited for some time of the sender's call that nobody
 * knows.
 */
static void bound_receive(const bounds *b, const app_message *m)
{
    const sched_call *send = call_at(b, m->from, m->send);
    const sched_call *done = call_at(b, m->to, m->received);
    sim_time when = send->leave;
    if (done->leave < send->leave) {
        when = done->enter >= send->leave ? send->leave : UNKNOWN;
    } else if (is_large(m) && m->sent != m->send) {
        const sim_time asked = present(b, m->from, m->send + 1, MAX(when, done->enter));
        when = asked <= done->leave ? asked : when; /* later: it came without */
    }
    need(b, m->to, m->received, when);
}

/* The call that completes a large send needs the receiver: its receive, and itself inside MPI. */
static void bound_send(const bounds *b, const app_message *m)
{
    const sched_call *done = call_at(b, m->from, m->sent);
    if (is_large(m)) {
        const sched_call *recv = call_at(b, m->to, m->recv);
        const sim_time ready =
            present(b, m->to, m->recv, MAX(recv->enter, call_at(b, m->from, m->send)->enter));
        need(b, m->from, m->sent, ready <= done->leave ? ready : NOTHING); /* later: it was not */
    } else {
        need(b, m->from, m->sent, NOTHING);
    }
}

static void bound_messages(const bounds *b, const app_messages *messages)
{
    for (size_t i = 0; i < messages->num_messages; i++) {
        const app_message *m = &messages->messages[i];
        if (m->received != APP_NO_CALL) {
            bound_receive(b, m);
        }
        if (m->sent != APP_NO_CALL) {
            bound_send(b, m);
        }
    }
    for (size_t i = 0; i < messages->num_lonely; i++) {
        const app_lonely *e = &messages->lonely[i];
        if (e->done != APP_NO_CALL) {
            need(b, e->rank, e->done, UNKNOWN);
        }
    }
}

/* What no message is needed for. */
static sim_time at_first(const sched_call *call)
{
    switch ((sched_call_kind)call->kind) {
    case SCHED_CALL_SEND:
    case SCHED_CALL_RECV:
    case SCHED_CALL_SENDRECV:
        return NOTHING;
    case SCHED_CALL_COMPLETE:
        return call->num_list > 0 ? NOTHING : UNKNOWN;
    default:
        return UNKNOWN;
    }
}

static sim_time waited(const sched_call *call, sim_time until)
{
    if (until == UNKNOWN) {
        return -1;
    }
    return until <= call->enter ? 0 : MIN(until, call->leave) - call->enter;
}

app_waits *app_waits_new(const sched_trace *trace, const app_messages *messages)
{
    app_waits *w = g_new0(app_waits, 1);
    w->num_ranks = trace->num_ranks;
    w->of = g_new0(sim_time *, trace->num_ranks);
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        const sched_rank *r = &trace->ranks[rank];
        w->of[rank] = g_new(sim_time, r->num_calls);
        for (uint64_t i = 0; i < r->num_calls; i++) {
            w->of[rank][i] = at_first(&r->calls[i]);
        }
    }
    const bounds b = {trace, w->of};
    bound_messages(&b, messages);
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        const sched_rank *r = &trace->ranks[rank];
        for (uint64_t i = 0; i < r->num_calls; i++) {
            w->of[rank][i] = waited(&r->calls[i], w->of[rank][i]);
        }
    }
    app_meetings_judge(trace, w->of);
    return w;
}

void app_waits_free(app_waits *w)
{
    if (w != NULL) {
        for (uint32_t rank = 0; rank < w->num_ranks; rank++) {
            g_free(w->of[rank]);
        }
        g_free(w->of);
        g_free(w);
    }
}
