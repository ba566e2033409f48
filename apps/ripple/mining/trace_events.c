/* apps/ripple/mining/trace_events.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "mining/trace_events.h"

/* A rank's place in the communicators of its calls. */
typedef struct places {
    const sched_trace *trace;
    uint32_t rank;
    uint32_t *known; /* [communicators] place + 1; 0: not looked for yet */
} places;

static uint32_t place_in(places *p, uint32_t comm)
{
    const sched_comm *c = &p->trace->comms[comm];
    if (p->known[comm] == 0) {
        uint32_t i = 0;
        while (c->members != NULL && i < c->size && c->members[i] != p->rank) {
            i++;
        }
        p->known[comm] = (c->members != NULL && i < c->size ? i : SCHED_UNKNOWN) + 1;
    }
    return p->known[comm] - 1;
}

static int64_t distance_of(places *p, const sched_call *call)
{
    uint32_t peer = call->peer;
    if (call->kind == SCHED_CALL_RECV && peer != SCHED_PROC_NULL &&
        call->matched_peer != SCHED_UNKNOWN) {
        peer = call->matched_peer;
    }
    if (peer == SCHED_PROC_NULL) {
        return NOISE_EVENT_NOBODY;
    }
    const bool has_peer = call->kind == SCHED_CALL_SEND || call->kind == SCHED_CALL_ISEND ||
                          call->kind == SCHED_CALL_RECV || call->kind == SCHED_CALL_SENDRECV;
    if (!has_peer || peer >= SCHED_UNKNOWN || call->comm >= p->trace->num_comms) {
        return NOISE_EVENT_NO_PEER;
    }
    const uint32_t own = place_in(p, call->comm);
    return own != SCHED_UNKNOWN ? (int64_t)peer - (int64_t)own : NOISE_EVENT_NO_PEER;
}

static int64_t bytes_of(const sched_call *call)
{
    switch ((sched_call_kind)call->kind) {
    case SCHED_CALL_SEND:
    case SCHED_CALL_RECV:
    case SCHED_CALL_SENDRECV:
    case SCHED_CALL_ISEND:
    case SCHED_CALL_COLLECTIVE:
    case SCHED_CALL_ICOLLECTIVE:
        return call->bytes;
    default:
        return NOISE_EVENT_NO_SIZE;
    }
}

noise_event_function *app_trace_functions(const sched_trace *trace)
{
    noise_event_function *functions = g_new0(noise_event_function, trace->names->len + 1);
    for (guint i = 0; i < trace->names->len; i++) {
        functions[i] = noise_event_function_of(g_ptr_array_index(trace->names, i));
    }
    return functions;
}

/* What a wait found cancelled: readers make it a call of its own before the wait, which takes no
 * time. */
static bool is_part_of_next(const sched_rank *r, uint64_t i)
{
    const sched_call *call = &r->calls[i];
    return call->kind == SCHED_CALL_CANCEL && call->leave == call->enter && i + 1 < r->num_calls &&
           r->calls[i + 1].name == call->name && r->calls[i + 1].enter == call->enter;
}

/* Stretches that readers put between calls in which the program was not itself. */
static bool is_pause(const noise_event_function *function)
{
    return g_strcmp0(function->name, "BufferFlush") == 0 ||
           g_strcmp0(function->name, "MPI_Pcontrol") == 0;
}

void app_trace_visit(const sched_trace *trace, uint32_t rank, const app_waits *waits,
                     const noise_event_function *functions, app_call_visit *visit, void *data)
{
    const sched_rank *r = &trace->ranks[rank];
    places p = {trace, rank, g_new0(uint32_t, trace->num_comms)};
    for (uint64_t i = 0; i < r->num_calls; i++) {
        const sched_call *call = &r->calls[i];
        const noise_event_function *function = &functions[call->name];
        if (is_part_of_next(r, i)) {
            continue;
        }
        const sched_call *timed = i > 0 && is_part_of_next(r, i - 1) ? call - 1 : call;
        const uint32_t own =
            call->comm < trace->num_comms ? place_in(&p, call->comm) : SCHED_UNKNOWN;
        if (is_pause(function)) {
            visit(data, call, own, NULL);
            continue;
        }
        const noise_call now = {
            .function = function,
            .bytes = bytes_of(call),
            .distance = distance_of(&p, call),
            .enter = call->enter,
            .leave = call->leave,
            .cpu = timed->cpu,
            .cpu_inside = timed->cpu_inside,
            .waited = waits != NULL ? waits->of[rank][i] : -1,
            .completed = call->kind == SCHED_CALL_COMPLETE ? call->num_list : 0,
        };
        visit(data, call, own, &now);
    }
    g_free(p.known);
}

/* Calls that become events. */
typedef struct making {
    noise_call_events state;
    app_calls calls;
    app_event_take *take;
    void *data;
} making;

static void make_events(void *data, const sched_call *at, uint32_t own, const noise_call *call)
{
    (void)own;
    making *m = data;
    if (call == NULL) {
        noise_call_events_skip(&m->state, at->enter, at->leave);
        return;
    }
    noise_call_event out[2];
    const int n = noise_call_events_take(&m->state, call, m->calls != APP_CALLS_ALL, out);
    for (int k = 0; k < n; k++) {
        if (m->calls != APP_CALLS_NONE ||
            noise_event_type_kind(out[k].event.type) == NOISE_EVENT_COMPUTATION) {
            m->take(m->data, &out[k]);
        }
    }
}

void app_trace_events(const sched_trace *trace, uint32_t rank, app_calls calls,
                      const app_waits *waits, const noise_event_function *functions,
                      app_event_take *take, void *data)
{
    making m = {{.rank = rank}, calls, take, data};
    app_trace_visit(trace, rank, waits, functions, make_events, &m);
}

typedef struct mining {
    noise_miner *miner;
    GHashTable *named; /* types */
} mining;

static void mine(void *data, const noise_call_event *event)
{
    const mining *m = data;
    if (!g_hash_table_contains(m->named, &event->event.type)) {
        char name[NOISE_EVENT_NAME_BYTES];
        noise_call_event_name(event, name);
        g_hash_table_add(m->named, g_memdup2(&event->event.type, sizeof event->event.type));
        noise_miner_name_type(m->miner, event->event.type, name);
    }
    noise_miner_add_event(m->miner, &event->event);
}

void app_trace_mine(const sched_trace *trace, app_calls calls, noise_miner *miner)
{
    g_autofree noise_event_function *functions = app_trace_functions(trace);
    g_autoptr(app_messages) messages = calls == APP_CALLS_ALL ? app_messages_new(trace) : NULL;
    g_autoptr(app_waits) waits = messages != NULL ? app_waits_new(trace, messages) : NULL;
    mining m = {miner, g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL)};
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        app_trace_events(trace, rank, calls, waits, functions, mine, &m);
    }
    g_hash_table_unref(m.named);
}

static sim_time common_tick(sim_time a, sim_time b)
{
    while (b != 0) {
        const sim_time rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a; /* times before the archive's own start are negative */
}

sim_time app_trace_tick(const sched_trace *trace)
{
    sim_time tick = 0;
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        const sched_rank *r = &trace->ranks[rank];
        for (uint64_t i = 0; i < r->num_calls; i++) {
            tick = common_tick(common_tick(r->calls[i].enter, tick), r->calls[i].leave);
        }
    }
    return tick;
}
