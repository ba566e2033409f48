/* sim/engine/run_ready.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Operations that start and finish, and those that this makes ready; included by run_turn.inl
 * alone, which is compiled five times.
 */
#pragma once

#include "engine/run_steps_private.h"

static inline size_t engine_start_op(const engine_turn *t, const event_item *i, sim_time at,
                                     sim_ready *out)
{
    const engine *e = t->p->e;
    if ((i->flags & EVENT_QUIET) != 0) {
        return 0;
    }
    return e->program->methods->started(e->cursor, t->rank, i->index, at, out);
}

static inline size_t engine_finish_op(const engine_turn *t, uint32_t op, sim_time at,
                                      sim_ready *out)
{
    const engine *e = t->p->e;
    if (__builtin_expect(at > SIM_TIME_MAX, 0)) {
        sim_engine_overflow(t->p, t->rank, at);
        return 0;
    }
    if (__builtin_expect(engine_recorded(e), 0)) {
        uint32_t *last = &t->p->last[rank_partition_place(&t->p->ranks, t->rank)];
        *last = at > t->r->finish || *last == SIM_ANY ? op : *last;
    }
    t->r->finish = engine_max(t->r->finish, at);
    return e->program->methods->finished(e->cursor, t->rank, op, at, out);
}

/*
 * May a receive that has become ready at this instant be posted without an event of its own? Yes,
 * if that event would be the next of its rank and, where ranks can meet at an instant, of all.
 */
static bool would_be_next(const engine_turn *t)
{
    const engine *e = t->p->e;
    if (event_list_event_due(&t->p->event_list, t->r, t->p->now) ||
        event_list_exposed_from(&t->p->event_list, t->r) <= t->p->now) {
        return false;
    }
    if (__builtin_expect(e->width > 0, 1)) {
        return true;
    }
    const rank_queue_entry next = sim_rank_queue_top(&e->heap);
    return next.key > t->p->now || next.rank >= t->rank;
}

/* An operation that has become ready, as it is on the event list. */
static inline void engine_write_item(const engine_turn *t, event_item *i, const sim_ready *ready)
{
    static const uint8_t kinds[] = {
        [SIM_OP_CALC] = EVENT_CALC, [SIM_OP_SEND] = EVENT_SEND, [SIM_OP_RECV] = EVENT_POST};
    const engine *e = t->p->e;
    i->time = ready->time;
    i->size = ready->op.size;
    i->tag = ready->op.tag;
    i->comm = ready->op.comm;
    i->peer = ready->op.peer;
    i->order = 0;
    i->index = ready->index;
    i->kind = kinds[ready->op.type];
    i->cpu = ready->op.cpu;
    i->nic = ready->op.nic;
    if (ENGINE_LEVELS && e->has_node && i->kind == EVENT_SEND && engine_is_on_node_of(t, i->peer)) {
        i->nic += (uint8_t)e->layout.node_nic;
    }
    i->flags = ready->quiet ? EVENT_QUIET : 0;
}

/* A receive has become ready now: to be posted on the spot, or on the list. */
static inline void take_up_receive(const engine_turn *t, const sim_ready *receive)
{
    event_entry entry = {.cause = {.cause = receive->cause, .at_start = receive->at_start}};
    engine_write_item(t, &entry.item, receive);
    if (would_be_next(t)) {
        engine_post(t, &entry, EVENT_TAKEN);
    } else {
        event_list_add_entry(&t->p->event_list, t->r, t->rank, &entry);
    }
}

static void engine_take_up(const engine_turn *t, const sim_ready *ready, size_t n, bool direct)
{
    if (n == 0) {
        return;
    }
    const sim_ready *receive = NULL; /* to be posted on the spot */
    const sim_ready *send = NULL;    /* the last so far */
    event_list *a = &t->p->event_list;
    t->p->num_ops += n;
    if (n == 1 && t->p->e->chains && t->p->single == NULL &&
        !(direct && ready->op.type == SIM_OP_RECV && ready->time == t->p->now)) {
        t->p->single = ready;
        return;
    }
    for (size_t k = 0; k < n; k++) {
        if (direct && ready[k].op.type == SIM_OP_RECV) {
            direct = false;
            if (ready[k].time == t->p->now) {
                receive = &ready[k];
                continue;
            }
        }
        event_item *i = event_list_new(a, t->r, t->rank);
        engine_write_item(t, i, &ready[k]);
        const event_cause cause = {.cause = ready[k].cause, .at_start = ready[k].at_start};
        event_list_add_ready(a, t->r, t->rank, i, event_list_keeps_causes(a) ? &cause : NULL);
        if (ready[k].op.type == SIM_OP_SEND) {
            if (send != NULL && event_list_send_goes_after(ready[k].time, ready[k].index,
                                                           send->time, send->index)) {
                event_list_note_behind(a, t->r);
            }
            send = &ready[k];
        }
    }
    if (receive != NULL) {
        take_up_receive(t, receive);
    }
}
