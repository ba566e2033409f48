/* noise/synopsis/call_events.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/call_events.h"

static noise_miner_event between(const noise_call_events *state, sim_time start, sim_time end,
                                 sim_time cpu)
{
    return (noise_miner_event){
        .rank = state->rank, .start = start, .end = end, .expected = -1, .cpu = cpu, .detour = -1};
}

/* Is the time inside the call an event? */
static bool is_mined(const noise_call *call, bool local_only)
{
    if (noise_event_is_local(call->function, call->bytes, call->completed)) {
        return true;
    }
    return !local_only && call->waited >= 0;
}

int noise_call_events_take(noise_call_events *state, const noise_call *call, bool local_only,
                           noise_call_event out[2])
{
    int n = 0;
    noise_event_call now = noise_event_call_of(call->function, call->bytes, call->distance);
    if (state->begun && call->enter >= state->leave) {
        noise_call_event *e = &out[n++];
        e->before = state->last;
        e->call = now;
        e->event = between(state, state->leave, call->enter, call->cpu);
        e->event.type = noise_event_computation_type(&e->before, &now);
    }
    state->begun = true;
    state->last = now;
    state->leave = call->leave;
    if (is_mined(call, local_only) && call->leave >= call->enter) {
        noise_call_event *e = &out[n++];
        now.waited = !local_only && call->waited > 0;
        e->before = (noise_event_call){0};
        e->call = now;
        /* who waits may use the CPU for it, or not: then CPU time says nothing of the rest */
        e->event = between(state, call->enter, call->leave, now.waited ? -1 : call->cpu_inside);
        e->event.waited = now.waited ? call->waited : 0;
        e->event.type = noise_event_call_type(&now);
    }
    return n;
}

void noise_call_events_skip(noise_call_events *state, sim_time enter, sim_time leave)
{
    state->begun = state->begun && enter <= state->leave;
    state->leave = leave > state->leave ? leave : state->leave;
}

void noise_call_event_name(const noise_call_event *event, char out[NOISE_EVENT_NAME_BYTES])
{
    if (noise_event_type_kind(event->event.type) == NOISE_EVENT_COMPUTATION) {
        noise_event_computation_name(&event->before, &event->call, out);
    } else {
        noise_event_call_name(&event->call, out);
    }
}
