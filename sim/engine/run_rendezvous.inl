/* sim/engine/run_rendezvous.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Rendezvous, from the meeting of a request and its receive on; included by run_network.inl alone.
 *
 *     sender    EVENT_HELD ─────────────────▶ EVENT_CLEAR: the data leave
 *                   │ request          clear ▲           │
 *                   ▼                        │           ▼
 *     receiver  EVENT_POSTED ─────▶ EVENT_DATA ───────▶ EVENT_RECEIVE
 *
 * A send and a receive each stay where they are on the event list and become the next.
 */
#pragma once

#include "engine/run_steps_private.h"

static void add_own(const engine_turn *t, const event_entry *entry)
{
    event_list_add_entry(&t->p->event_list, t->r, t->rank, entry);
}

/* handshake: request and receive of @p i meet at @p at; the clear-to-send goes back. */
static void send_clear(const engine_turn *t, const event_item *i, sim_time at)
{
    const uint32_t source = i->peer;
    const engine_message clear = {
        .item = {.time = at + engine_level(t, i)->H + engine_latency(t, i, source),
                 .peer = t->rank,
                 .order = i->index,
                 .index = i->send,
                 .kind = EVENT_CLEAR},
        .dest = source};
    engine_message *m = engine_new_message(t->p, source); /* @p i may move */
    *m = clear;
    engine_emit(t->p, m);
}

/* The same now, of what is not on the list; as matched() gives it. */
static void meet_request(const engine_turn *t, const event_entry *both)
{
    event_entry data = *both;
    data.item.kind = EVENT_DATA;
    data.item.time = t->p->now;
    add_own(t, &data);
    send_clear(t, &both->item, t->p->now);
}

/*
 * The same, unless recorded, as soon as it is known when they meet, which does not depend on what
 * the rank does until then. @p i is @p message or its receive, on the list at @p ref.
 */
static void meet_request_early(const engine_turn *t, event_item *i, uint32_t ref,
                               const event_item *message, const event_item *receive)
{
    const uint32_t index = receive->index;
    const uint32_t send = message->index;
    const uint8_t cpu = receive->cpu;
    const sim_time at = engine_max(message->time, receive->time);
    *i = *message;
    i->time = at;
    i->send = send;
    i->index = index;
    i->kind = EVENT_DATA;
    i->cpu = cpu;
    i->flags |= EVENT_MATCHED;
    event_list_become(&t->p->event_list, t->r, t->rank, ref, EVENT_DATA);
    send_clear(t, i, at);
}

/* The clear-to-send is back, as deliver_clear() gives it: the data leave as soon as the interface
 * is free. */
static void clear_to_send(const engine_turn *t, const event_item *h)
{
    engine_partition *p = t->p;
    const engine *e = p->e;
    const sim_level *level = engine_level(t, h);
    const sim_time gap = event_list_cost(&p->event_list, h)->G;
    const uint32_t tx_at = p->event_list.at.tx_at + h->nic;
    sim_time *tx = &t->r->clock[tx_at];
    const sim_time leaves = engine_max(p->now, *tx);
    if (leaves > SIM_TIME_MAX - gap) {
        sim_engine_overflow(p, t->rank, leaves);
        return;
    }
    const sim_time finish = engine_max(h->arrival, leaves + gap);
    if (engine_keeps_causes(e)) {
        clock_cause *cause = &event_list_clock_causes(&p->event_list, t->r)[tx_at];
        if (engine_recorded(e)) {
            record_add(&p->log,
                       &(record_step){.kind = RECORD_CLEARED,
                                      .bound = *tx > p->now ? RECORD_BY_TX : RECORD_BY_NETWORK,
                                      .later = finish > h->arrival,
                                      .level = (uint8_t)event_list_level(&p->event_list, h),
                                      .distance = engine_distance(t, h, h->peer),
                                      .rank = t->rank,
                                      .op = h->index,
                                      .peer = h->peer,
                                      .by = *cause,
                                      .size = h->size});
        }
        *cause = (clock_cause){.op = h->index, .source = SIM_ANY};
    }
    *tx = leaves + level->g + gap;
    const size_t n = engine_finish_op(t, h->index, finish, p->ready);
    engine_take_up(t, p->ready, n, false);
    engine_message *data = engine_new_message(p, h->peer);
    *data = (engine_message){.item = {.time = leaves + engine_latency(t, h, h->peer),
                                      .size = h->size,
                                      .peer = t->rank,
                                      .order = h->order,
                                      .index = h->index,
                                      .kind = EVENT_DATA,
                                      .nic = h->nic},
                             .dest = h->peer};
    engine_emit(p, data);
}

/* instant: the send is over. (Moving clocks up to an instant that has come changes nothing.) */
static void engine_release_send(const engine_turn *t, uint32_t send)
{
    engine_partition *p = t->p;
    const engine *e = p->e;
    uint32_t ref = 0;
    event_entry held;
    (void)sim_event_list_find_op(&p->event_list, t->r, t->rank, EVENT_HELD, send, &ref);
    sim_event_list_remove(&p->event_list, t->r, ref, &held);
    if (engine_recorded(e) && p->now > held.item.time) {
        record_add(&p->log, &(record_step){.kind = RECORD_RELEASED,
                                           .bound = RECORD_BY_NETWORK,
                                           .rank = t->rank,
                                           .op = send,
                                           .peer = held.item.peer});
    }
    const size_t n = engine_finish_op(t, send, engine_max(held.item.time, p->now), p->ready);
    engine_take_up(t, p->ready, n, false);
}

/* The data of a rendezvous: its receive is work now. */
static void deliver_data(engine_partition *p, engine_rank *r, const engine_message *m)
{
    uint32_t ref = 0;
    event_item *i =
        sim_event_list_find_op(&p->event_list, r, m->dest, EVENT_DATA, m->item.order, &ref);
    if (engine_async(p->e)) {
        i->time = m->item.time;
        i->send = m->item.index;
    } else {
        i->arrival = m->item.time;
        i->order = m->item.index;
        i->flags = 0;
    }
    i->kind = EVENT_RECEIVE;
    event_list_become(&p->event_list, r, m->dest, ref, EVENT_RECEIVE);
    engine_due(p, r, m->dest, event_list_start(&p->event_list, r, i));
}

/* The send that is held becomes an event, with all that is known of it. */
static void deliver_clear(engine_partition *p, engine_rank *r, const engine_message *m)
{
    uint32_t ref = 0;
    event_item *i =
        sim_event_list_find_op(&p->event_list, r, m->dest, EVENT_HELD, m->item.index, &ref);
    i->arrival = i->time;
    i->time = m->item.time;
    i->order = m->item.order;
    i->kind = EVENT_CLEAR;
    event_list_become(&p->event_list, r, m->dest, ref, EVENT_CLEAR);
    engine_due(p, r, m->dest, i->time);
}
