/* apps/ripple/detection/recorded_calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "detection/recorded_calls.h"

#include "mining/trace_events.h"
#include "noise/call_stream.h"

typedef struct reading {
    const sched_trace *trace;
    app_run_calls *calls;
    app_rank_calls *rank;
    sim_time origin;
    noise_match match;
    noise_call_stream stream;
} reading;

static noise_call_peer peer_of(const sched_trace *trace, const sched_call *call, uint32_t own)
{
    noise_call_peer peer = {.kind = NOISE_PEER_NONE};
    if (call->comm < trace->num_comms) {
        peer.size = trace->comms[call->comm].size;
        peer.part = peer.size != trace->num_ranks;
    }
    uint32_t number = call->peer;
    switch ((sched_call_kind)call->kind) {
    case SCHED_CALL_SEND:
    case SCHED_CALL_ISEND:
    case SCHED_CALL_SEND_INIT:
    case SCHED_CALL_RECV:
    case SCHED_CALL_IRECV:
    case SCHED_CALL_RECV_INIT:
    case SCHED_CALL_SENDRECV:
        peer.kind = NOISE_PEER_RANK;
        break;
    case SCHED_CALL_COLLECTIVE:
    case SCHED_CALL_ICOLLECTIVE:
        peer.kind =
            coll_kind_is_rooted((coll_kind)call->collective) ? NOISE_PEER_ROOT : NOISE_PEER_NONE;
        number = call->root;
        break;
    default:
        return peer;
    }
    if (number == SCHED_PROC_NULL || number == SCHED_ANY) {
        peer.kind = number == SCHED_ANY ? NOISE_PEER_ANY : NOISE_PEER_NOBODY;
    } else if (number >= SCHED_UNKNOWN || (peer.kind == NOISE_PEER_RANK && own >= SCHED_UNKNOWN)) {
        peer.kind = NOISE_PEER_NONE;
    } else {
        peer.number = number;
        peer.own = own;
    }
    return peer;
}

static void append(reading *r, const sched_call *at, const noise_sequence_call *call)
{
    app_rank_calls *to = r->rank;
    if ((to->n & (to->n - 1)) == 0) { /* full at powers of two */
        to->call = g_renew(noise_sequence_call, to->call, MAX(2 * to->n, 1));
        to->at = g_renew(uint64_t, to->at, MAX(2 * to->n, 1));
    }
    to->at[to->n] = (uint64_t)(at - r->trace->ranks[to - r->calls->rank].calls);
    to->call[to->n++] = *call;
}

static void take(void *data, const sched_call *at, uint32_t own, const noise_call *call)
{
    reading *r = data;
    r->calls->end = MAX(r->calls->end, at->leave - r->origin);
    if (call == NULL) {
        noise_call_stream_skip(&r->stream, at->enter - r->origin, at->leave - r->origin);
        return;
    }
    if (at->kind == SCHED_CALL_INIT) {
        noise_call_stream_begin(&r->stream, r->match, at->leave - r->origin);
        return;
    }
    if (at->kind == SCHED_CALL_FINALIZE) {
        return;
    }
    noise_call moved = *call;
    moved.enter -= r->origin;
    moved.leave -= r->origin;
    const noise_call_peer peer = peer_of(r->trace, at, own);
    noise_sequence_call out;
    if (noise_call_stream_take(&r->stream, &moved, &peer, &out)) {
        append(r, at, &out);
        if (app_run_calls_find_name(r->calls, out.symbol) == NULL) {
            char name[NOISE_CALL_SYMBOL_BYTES];
            noise_call_symbol_name(call->function, r->match, &peer, name);
            app_run_calls_name(r->calls, out.symbol, name);
        }
    }
}

sim_time app_recorded_origin(const sched_trace *trace)
{
    sim_time first = SIM_TIME_MAX;
    for (uint32_t r = 0; r < trace->num_ranks; r++) {
        first = trace->ranks[r].num_calls > 0 ? MIN(first, trace->ranks[r].calls[0].enter) : first;
    }
    return first < SIM_TIME_MAX ? first : 0;
}

app_run_calls *app_recorded_calls(const sched_trace *trace, noise_match match)
{
    g_autofree noise_event_function *functions = app_trace_functions(trace);
    app_run_calls *calls = app_run_calls_new(trace->num_ranks);
    reading r = {
        .trace = trace, .calls = calls, .origin = app_recorded_origin(trace), .match = match};
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        r.rank = &calls->rank[rank];
        r.stream = (noise_call_stream){.match = match};
        app_trace_visit(trace, rank, NULL, functions, take, &r);
    }
    return calls;
}
