/* sim/engine/run_network.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Posts, arrivals, rendezvous, and messages on their way in; part of run_turn.h.
 */
#pragma once

#include "engine/run_turn_private.h"

/* What becomes of a message on the agenda of its receiver, once it is there. */
static uint8_t unmatched_kind(const engine *e, const agenda_item *message)
{
    const bool request = (message->flags & AGENDA_RENDEZVOUS) != 0 && !e->instant;
    return engine_async(e) && !request ? AGENDA_RECEIVE : AGENDA_MESSAGE;
}

/* To a rank that need not be the one whose turn it is. */
static void add_due(engine_part *p, engine_rank *r, uint32_t rank, const agenda_entry *entry)
{
    agenda_add_entry(&p->agenda, r, rank, entry);
    engine_due(p, r, rank, agenda_start(&p->agenda, r, &entry->item));
}

static void add_own(const engine_turn *t, const agenda_entry *entry)
{
    agenda_add_entry(&t->p->agenda, t->r, t->rank, entry);
}

static __attribute__((noinline)) void fail_truncated(engine_part *p, uint32_t rank,
                                                     const agenda_item *message,
                                                     const agenda_item *receive)
{
    sim_engine_fail(p, &(engine_error){.state = ENGINE_TRUNCATED,
                                       .at = engine_max(message->time, receive->time),
                                       .rank = rank,
                                       .receive = receive->index,
                                       .room = receive->size,
                                       .size = message->size,
                                       .source = message->peer,
                                       .send = message->index});
}

static inline bool is_truncated(engine_part *p, uint32_t rank, const agenda_item *message,
                                const agenda_item *receive)
{
    const bool truncated = message->size > receive->size;
    if (__builtin_expect(truncated, 0)) {
        fail_truncated(p, rank, message, receive);
    }
    return truncated;
}

/* A message has got its receive: what is known of both. */
static agenda_entry matched(const agenda_entry *message, const agenda_entry *receive,
                            agenda_kind kind)
{
    agenda_entry entry = *message;
    entry.item.kind = (uint8_t)kind;
    entry.item.cpu = receive->item.cpu;
    entry.item.flags |= AGENDA_MATCHED;
    entry.item.send = message->item.index;
    entry.item.index = receive->item.index;
    entry.note = receive->note;
    return entry;
}

/* polling: a receive has its message, on its way or there. @p receive and @p message may be @p i.
 */
static inline void match_receive(agenda_item *i, const agenda_item *receive,
                                 const agenda_item *message)
{
    const sim_time posted = receive->time;
    const sim_time arrival = message->time;
    const uint32_t send = message->index;
    i->index = receive->index;
    i->cpu = receive->cpu;
    i->time = posted;
    i->size = message->size;
    i->arrival = arrival;
    i->peer = message->peer;
    i->order = send;
    i->kind = AGENDA_RECEIVE;
    i->nic = message->nic;
    i->flags = 0;
}

/* The same as a whole. */
static agenda_entry matched_receive(const agenda_entry *message, const agenda_entry *receive)
{
    agenda_entry entry = {.note = receive->note};
    match_receive(&entry.item, &receive->item, &message->item);
    return entry;
}

/* handshake: a request meets its receive now, as matched() gives them. */
static void meet_request(const engine_turn *t, const agenda_entry *both)
{
    agenda_entry data = *both;
    data.item.kind = AGENDA_DATA;
    data.item.time = t->p->now;
    add_own(t, &data);
    engine_message *m = engine_new_message(t->p, both->item.peer);
    *m = (engine_message){.item = {.time = t->p->now + t->p->e->params.L,
                                   .peer = t->rank,
                                   .order = both->item.index,
                                   .index = both->item.send,
                                   .kind = AGENDA_CLEAR},
                          .dest = both->item.peer};
    engine_emit(t->p, m);
}

/* A message, @p send of rank @p source, meets receive @p op in a way of @p kind. */
static void record_meeting(const engine_turn *t, record_kind kind, record_bound bound, uint32_t op,
                           uint32_t source, uint32_t send)
{
    if (engine_recorded(t->p->e)) {
        record_add(&t->p->log, &(record_step){.kind = (uint8_t)kind,
                                              .bound = (uint8_t)bound,
                                              .rank = t->rank,
                                              .op = op,
                                              .peer = source,
                                              .send = send});
    }
}

/* Message and receive are both there: now is the later of arrival and posting. */
static void meet(const engine_turn *t, const agenda_entry *message, const agenda_entry *receive)
{
    const agenda_item *m = &message->item;
    const bool rendezvous = (m->flags & AGENDA_RENDEZVOUS) != 0;
    if (rendezvous) {
        const record_bound bound =
            receive->item.time > m->time ? RECORD_BY_POSTING : RECORD_BY_NETWORK;
        record_meeting(t, RECORD_MEET, bound, receive->item.index, m->peer, m->index);
    }
    if (rendezvous && !t->p->e->instant) {
        const agenda_entry both = matched(message, receive, AGENDA_DATA);
        meet_request(t, &both);
        return;
    }
    const agenda_entry entry = matched_receive(message, receive);
    add_own(t, &entry);
    if (rendezvous) {
        sim_engine_release(t, m->peer, m->index);
    }
}

/* A message that has been accepted meets its receive, which is posted now. */
static void finish_late_receive(const engine_turn *t, const agenda_entry *message,
                                const agenda_entry *receive)
{
    const engine *e = t->p->e;
    const agenda_item *m = &message->item;
    const uint32_t index = receive->item.index;
    const sim_time posted = receive->item.time;
    record_meeting(t, RECORD_LATE, m->time >= posted ? RECORD_BY_NETWORK : RECORD_BY_POSTING, index,
                   m->peer, m->index);
    const size_t n = engine_finish_op(t, index, engine_max(posted, m->time), t->p->posted);
    engine_take_up(t, t->p->posted, n, false);
    if ((m->flags & AGENDA_RENDEZVOUS) != 0 && e->instant) {
        sim_engine_release(t, m->peer, m->index);
    }
}

/* A receive, posted now, finds message @p m, which is on the agenda. */
static void post_to_message(const engine_turn *t, const agenda_entry *entry, agenda_item *m,
                            uint32_t ref)
{
    engine_part *p = t->p;
    if (m->kind == AGENDA_RECEIVE) { /* it is to be accepted yet */
        m->flags |= AGENDA_MATCHED;
        m->send = m->index;
        m->index = entry->item.index;
        if (engine_noted(p->e)) {
            *sim_agenda_note(&p->agenda, t->r, ref) = entry->note;
        }
        return;
    }
    if (m->flags == 0) { /* polling, eager */
        match_receive(m, &entry->item, m);
        if (engine_noted(p->e)) {
            *sim_agenda_note(&p->agenda, t->r, ref) = entry->note;
        }
        agenda_become(&p->agenda, t->r, ref, AGENDA_RECEIVE);
        return;
    }
    agenda_entry message;
    sim_agenda_remove(&p->agenda, t->r, ref, &message);
    if ((message.item.flags & AGENDA_ACCEPTED) != 0) {
        finish_late_receive(t, &message, entry);
    } else if (message.item.time > p->now) { /* a request, matched early: they meet when it comes */
        const agenda_entry later = matched(&message, entry, AGENDA_ARRIVAL);
        add_own(t, &later);
    } else {
        meet(t, &message, entry);
    }
}

static void engine_post(const engine_turn *t, const agenda_entry *entry, uint32_t ref)
{
    engine_part *p = t->p;
    const engine *e = p->e;
    const uint32_t index = entry->item.index;
    if (__builtin_expect(engine_recorded(e), 0)) {
        const agenda_note *note = &entry->note;
        record_add(&p->log,
                   &(record_step){.kind = RECORD_POST,
                                  .bound = note->at_start ? RECORD_BY_START : RECORD_BY_FINISH,
                                  .rank = t->rank,
                                  .op = index,
                                  .by = {.op = note->cause, .source = SIM_ANY}});
    }
    const size_t n = engine_start_op(t, &entry->item, p->now, p->posted);
    if (n > 0) {
        if (ref != AGENDA_TAKEN) { /* what is added may move it */
            sim_agenda_remove(&p->agenda, t->r, ref, NULL);
            ref = AGENDA_TAKEN;
        }
        engine_take_up(t, p->posted, n, false);
    }
    uint32_t found = 0;
    agenda_item *m = agenda_find_message(&p->agenda, t->r, t->rank, &entry->item, &found);
    if (m == NULL) {
        agenda_post(&p->agenda, t->r, t->rank, ref, entry);
        return;
    }
    if (ref != AGENDA_TAKEN) {
        sim_agenda_remove(&p->agenda, t->r, ref, NULL);
        m = agenda_find_message(&p->agenda, t->r, t->rank, &entry->item, &found);
    }
    if (!is_truncated(p, t->rank, m, &entry->item)) {
        post_to_message(t, entry, m, found);
    }
}

static void arrive(const engine_turn *t, const agenda_entry *entry)
{
    engine_part *p = t->p;
    const engine *e = p->e;
    if ((entry->item.flags & AGENDA_MATCHED) != 0) {
        record_meeting(t, RECORD_MEET, RECORD_BY_NETWORK, entry->item.index, entry->item.peer,
                       entry->item.send);
        meet_request(t, entry);
        return;
    }
    const uint8_t kind = unmatched_kind(e, &entry->item);
    uint32_t ref = 0;
    if (agenda_find_receive(&p->agenda, t->r, t->rank, &entry->item, &ref) == NULL) {
        agenda_entry waiting = *entry;
        waiting.item.kind = kind;
        add_own(t, &waiting);
        return;
    }
    agenda_entry receive;
    sim_agenda_remove(&p->agenda, t->r, ref, &receive);
    if (is_truncated(p, t->rank, &entry->item, &receive.item)) {
        return;
    }
    if (kind == AGENDA_RECEIVE) {
        const agenda_entry acceptance = matched(entry, &receive, AGENDA_RECEIVE);
        add_own(t, &acceptance);
    } else {
        meet(t, entry, &receive);
    }
}

/* The clear-to-send is back: the data leave as soon as the interface is free. */
static void clear_to_send(const engine_turn *t, const agenda_entry *clear)
{
    engine_part *p = t->p;
    const engine *e = p->e;
    agenda_entry held;
    sim_agenda_find_op(&p->agenda, t->r, t->rank, AGENDA_HELD, clear->item.index, &held);
    const agenda_item *h = &held.item;
    const sim_time gap = message_cost_of(&p->agenda.costs, h->size)->G;
    const uint32_t tx_at = p->agenda.at.tx_at + h->nic;
    sim_time *tx = &t->r->clock[tx_at];
    const sim_time leaves = engine_max(p->now, *tx);
    if (leaves > SIM_TIME_MAX - gap) {
        sim_engine_overflow(p, t->rank, leaves);
        return;
    }
    const sim_time finish = engine_max(h->time, leaves + gap);
    if (engine_noted(e)) {
        clock_note *note = &agenda_clock_notes(&p->agenda, t->r)[tx_at];
        if (engine_recorded(e)) {
            record_add(&p->log,
                       &(record_step){.kind = RECORD_CLEARED,
                                      .bound = *tx > p->now ? RECORD_BY_TX : RECORD_BY_NETWORK,
                                      .later = finish > h->time,
                                      .rank = t->rank,
                                      .op = h->index,
                                      .peer = h->peer,
                                      .by = *note,
                                      .size = h->size});
        }
        *note = (clock_note){.op = h->index, .source = SIM_ANY};
    }
    *tx = leaves + e->params.g + gap;
    const size_t n = engine_finish_op(t, h->index, finish, p->ready);
    engine_take_up(t, p->ready, n, false);
    engine_message *data = engine_new_message(p, h->peer);
    *data = (engine_message){.item = {.time = leaves + e->params.L,
                                      .size = h->size,
                                      .peer = t->rank,
                                      .order = clear->item.order,
                                      .index = h->index,
                                      .kind = AGENDA_DATA,
                                      .nic = h->nic},
                             .dest = h->peer};
    engine_emit(p, data);
}

/* instant: the send is over. (Moving clocks up to an instant that has come changes nothing.) */
static void release(const engine_turn *t, const agenda_entry *event)
{
    engine_part *p = t->p;
    const engine *e = p->e;
    const uint32_t send = event->item.index;
    agenda_entry held;
    sim_agenda_find_op(&p->agenda, t->r, t->rank, AGENDA_HELD, send, &held);
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

static void engine_event_step(const engine_turn *t, const agenda_entry *entry, uint32_t ref)
{
    switch ((agenda_kind)entry->item.kind) {
    case AGENDA_POST:
        engine_post(t, entry, ref);
        break;
    case AGENDA_ARRIVAL:
        arrive(t, entry);
        break;
    case AGENDA_CLEAR:
        clear_to_send(t, entry);
        break;
    default:
        release(t, entry);
    }
}

/* ---- from outside ---- */

static void add_message(engine_part *p, engine_rank *r, const engine_message *m, uint8_t kind)
{
    static const agenda_note note = {0};
    agenda_item *i = agenda_new(&p->agenda, r, m->dest);
    *i = m->item;
    i->kind = kind;
    agenda_add(&p->agenda, r, m->dest, i, &note);
    if (kind != AGENDA_MESSAGE) {
        engine_due(p, r, m->dest, agenda_start(&p->agenda, r, i));
    }
}

static void deliver_sent(engine_part *p, engine_rank *r, const engine_message *m)
{
    const engine *e = p->e;
    const bool rendezvous = (m->item.flags & AGENDA_RENDEZVOUS) != 0;
    if (!e->match_early) {
        add_message(p, r, m, AGENDA_ARRIVAL);
        return;
    }
    uint32_t ref = 0;
    agenda_item *i = agenda_find_receive(&p->agenda, r, m->dest, &m->item, &ref);
    if (i == NULL) {
        add_message(p, r, m, unmatched_kind(e, &m->item));
        return;
    }
    if (is_truncated(p, m->dest, &m->item, i)) {
        sim_agenda_remove(&p->agenda, r, ref, NULL);
    } else if (!engine_async(e) && !rendezvous) {
        match_receive(i, i, &m->item);
        agenda_become(&p->agenda, r, ref, AGENDA_RECEIVE);
        engine_due(p, r, m->dest, agenda_start(&p->agenda, r, i));
    } else {
        agenda_entry receive;
        sim_agenda_remove(&p->agenda, r, ref, &receive);
        const agenda_entry found = {.item = m->item};
        const agenda_entry both =
            matched(&found, &receive, rendezvous ? AGENDA_ARRIVAL : AGENDA_RECEIVE);
        add_due(p, r, m->dest, &both);
    }
}

static void deliver_data(engine_part *p, engine_rank *r, const engine_message *m)
{
    agenda_entry receive;
    sim_agenda_find_op(&p->agenda, r, m->dest, AGENDA_DATA, m->item.order, &receive);
    agenda_entry message = receive;
    message.item.time = m->item.time;
    message.item.index = m->item.index;
    message = engine_async(p->e) ? matched(&message, &receive, AGENDA_RECEIVE)
                                 : matched_receive(&message, &receive);
    add_due(p, r, m->dest, &message);
}

static void engine_deliver(engine_part *p, const engine_message *m)
{
    engine_rank *r = engine_rank_of(p->e, m->dest);
    if (__builtin_expect(m->item.kind == AGENDA_ARRIVAL, 1)) {
        deliver_sent(p, r, m);
    } else if (m->item.kind == AGENDA_DATA) {
        deliver_data(p, r, m);
    } else {
        const agenda_entry event = {.item = m->item};
        add_due(p, r, m->dest, &event);
    }
}
