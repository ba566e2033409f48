/* apps/ripple/mining/exemplar_find.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_exemplar. */
#include "mining/exemplar_find.h"

#include "mining/call_at.h"
#include "mining/exemplar_choice.h"
#include "mining/system_lane.h"
#include "sim/unit.h"

#include <stdlib.h>

static int by_begin(const void *a, const void *b)
{
    const app_exemplar_slice *x = a;
    const app_exemplar_slice *y = b;
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    return (int)x->kind - (int)y->kind;
}

/* The peer of a call in the world; -1: it has none. */
static int64_t peer_of(const sched_trace *trace, const sched_call *call)
{
    const bool has_peer = call->kind == SCHED_CALL_SEND || call->kind == SCHED_CALL_ISEND ||
                          call->kind == SCHED_CALL_RECV || call->kind == SCHED_CALL_IRECV ||
                          call->kind == SCHED_CALL_SENDRECV;
    const bool receives = call->kind == SCHED_CALL_RECV || call->kind == SCHED_CALL_IRECV;
    const uint32_t peer =
        receives && call->matched_peer != SCHED_UNKNOWN ? call->matched_peer : call->peer;
    const sched_comm *comm = call->comm < trace->num_comms ? &trace->comms[call->comm] : NULL;
    return has_peer && comm != NULL && comm->members != NULL && peer < comm->size
               ? (int64_t)comm->members[peer]
               : -1;
}

static void add_call(const sched_trace *trace, const sched_call *call, GArray *slices)
{
    const bool sized =
        call->kind != SCHED_CALL_COMPLETE && call->kind != SCHED_CALL_OTHER && call->bytes > 0;
    const app_exemplar_slice s = {.begin = call->enter,
                                  .end = call->leave,
                                  .kind = APP_EXEMPLAR_CALL,
                                  .name = g_strdup(g_ptr_array_index(trace->names, call->name)),
                                  .bytes = sized ? call->bytes : -1,
                                  .peer = peer_of(trace, call),
                                  .cpu = call->cpu_inside,
                                  .cpu_number = -1};
    g_array_append_val(slices, s);
}

static void add_calls(const sched_trace *trace, const app_exemplar *e, GArray *slices)
{
    const sched_rank *r = &trace->ranks[e->event.rank];
    const uint64_t first = app_call_at(r, 0, e->from);
    for (uint64_t i = first; i < r->num_calls; i++) {
        const sched_call *call = &r->calls[i];
        const sim_time since = i > 0 ? r->calls[i - 1].leave : call->enter;
        if (since >= e->to) {
            break;
        }
        if (since < call->enter) {
            const app_exemplar_slice s = {.begin = since,
                                          .end = call->enter,
                                          .kind = APP_EXEMPLAR_COMPUTE,
                                          .name = g_strdup("computation"),
                                          .bytes = -1,
                                          .peer = -1,
                                          .cpu = call->cpu,
                                          .cpu_number = -1};
            g_array_append_val(slices, s);
        }
        if (call->enter < e->to) {
            add_call(trace, call, slices);
        }
    }
}

static void add_fact(GArray *facts, const char *key, char *value)
{
    char *fact[2] = {g_strdup(key), value};
    g_array_append_val(facts, fact);
}

/* What the record says beside the event: where it is, and how long its rank was off the CPU. */
static void add_facts(const sched_trace *trace, const app_system_lanes *lanes, app_exemplar *e)
{
    const sched_rank *r = &trace->ranks[e->event.rank];
    GArray *facts = g_array_new(FALSE, FALSE, sizeof(char *[2]));
    const uint64_t at = app_call_at(r, 0, e->event.end);
    if (at < r->num_calls && r->file != NULL) {
        add_fact(facts, "record", g_strdup_printf("%s: %u", r->file, r->calls[at].line));
    }
    if (app_system_lanes_has(lanes, e->event.rank)) {
        sim_time off = 0;
        unsigned times = 0;
        for (size_t i = 0; i < e->num_slices; i++) {
            const app_exemplar_slice *s = &e->slices[i];
            const sim_time within = MIN(s->end, e->event.end) - MAX(s->begin, e->event.start);
            if (s->kind == APP_EXEMPLAR_SYSTEM && within > 0) {
                off += within;
                times++;
            }
        }
        g_autofree char *text = sim_unit_format_time_short(off);
        add_fact(facts, "off its CPU", g_strdup_printf("%u times, %s", times, text));
    }
    e->num_facts = facts->len;
    e->facts = (char *(*)[2])(void *)g_array_free(facts, FALSE);
}

static app_exemplar make(const sched_trace *trace, const app_system_lanes *lanes,
                         const app_chosen *chosen)
{
    const noise_miner_event *event = &chosen->event.event;
    const sched_rank *r = &trace->ranks[event->rank];
    const sim_time length = event->end - event->start;
    char name[NOISE_EVENT_NAME_BYTES];
    noise_call_event_name(&chosen->event, name);
    app_exemplar e = {.row = chosen->row,
                      .event = *event,
                      .type = g_strdup(name),
                      .from = MAX(event->start - length, r->calls[0].enter),
                      .to = MIN(event->end + length, r->calls[r->num_calls - 1].leave)};
    GArray *slices = g_array_new(FALSE, FALSE, sizeof(app_exemplar_slice));
    add_calls(trace, &e, slices);
    app_system_lanes_add(lanes, event->rank, e.from, e.to, slices);
    g_array_sort(slices, by_begin);
    e.num_slices = slices->len;
    e.slices = (app_exemplar_slice *)(void *)g_array_free(slices, FALSE);
    add_facts(trace, lanes, &e);
    return e;
}

app_exemplar *app_exemplars_find(const sched_trace *trace, app_calls calls,
                                 const noise_miner_report *report, const char *folder, size_t *n)
{
    g_autofree noise_event_function *functions = app_trace_functions(trace);
    g_autoptr(app_messages) messages = calls == APP_CALLS_ALL ? app_messages_new(trace) : NULL;
    g_autoptr(app_waits) waits = messages != NULL ? app_waits_new(trace, messages) : NULL;
    g_autoptr(GArray) chosen = app_exemplars_choose(trace, calls, waits, functions, report);
    app_system_lanes *lanes = app_system_lanes_new(trace, folder);
    app_exemplar *all = g_new0(app_exemplar, (gsize)chosen->len + 1);
    for (guint i = 0; i < chosen->len; i++) {
        all[i] = make(trace, lanes, &g_array_index(chosen, app_chosen, i));
    }
    app_system_lanes_free(lanes);
    *n = chosen->len;
    return all;
}
