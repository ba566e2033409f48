/* sim/engine/run_network.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Posts, arrivals, and messages on their way in; included by run_turn.inl alone, which
 * is compiled five times.
 */
#pragma once

#include "engine/run_rendezvous.inl"
#include "engine/run_steps_private.h"

/* What becomes of a message on the event list of its receiver, once it is there. */
static uint8_t unmatched_kind(const engine *e, const event_item *message)
{
    const bool request = (message->flags & EVENT_RENDEZVOUS) != 0 && !e->instant;
    return engine_async(e) && !request ? EVENT_RECEIVE : EVENT_UNEXPECTED;
}

/* To a rank that need not be the one whose turn it is. */
static void add_due(engine_partition *p, engine_rank *r, uint32_t rank, const event_entry *entry)
{
    event_list_add_entry(&p->event_list, r, rank, entry);
    engine_due(p, r, rank, event_list_start(&p->event_list, r, &entry->item));
}

static __attribute__((noinline)) void fail_truncated(engine_partition *p, uint32_t rank,
                                                     const event_item *message,
                                                     const event_item *receive)
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

static inline bool is_truncated(engine_partition *p, uint32_t rank, const event_item *message,
                                const event_item *receive)
{
    const bool truncated = message->size > receive->size;
    if (__builtin_expect(truncated, 0)) {
        fail_truncated(p, rank, message, receive);
    }
    return truncated;
}

/* A message has got its receive: what is known of both. */
static event_entry matched(const event_entry *message, const event_entry *receive, event_kind kind)
{
    event_entry entry = *message;
    entry.item.kind = (uint8_t)kind;
    entry.item.cpu = receive->item.cpu;
    entry.item.flags |= EVENT_MATCHED;
    entry.item.send = message->item.index;
    entry.item.index = receive->item.index;
    entry.cause = receive->cause;
    return entry;
}

/* polling: a receive has its message, on its way or there. @p receive and @p message may be @p i.
 */
static inline void match_receive(event_item *i, const event_item *receive,
                                 const event_item *message)
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
    i->kind = EVENT_RECEIVE;
    i->nic = message->nic;
    i->flags = 0;
}

/* The same as a whole. */
static event_entry matched_receive(const event_entry *message, const event_entry *receive)
{
    event_entry entry = {.cause = receive->cause};
    match_receive(&entry.item, &receive->item, &message->item);
    return entry;
}

/* Message @p m, operation @p send of its source, meets receive @p op in a way of @p kind. */
static void record_meeting(const engine_turn *t, record_kind kind, record_bound bound,
                           const event_item *m, uint32_t op, uint32_t send)
{
    if (engine_recorded(t->p->e)) {
        record_add(&t->p->log,
                   &(record_step){.kind = (uint8_t)kind,
                                  .bound = (uint8_t)bound,
                                  .level = (uint8_t)event_list_level(&t->p->event_list, m),
                                  .distance = engine_distance(t, m, m->peer),
                                  .rank = t->rank,
                                  .op = op,
                                  .peer = m->peer,
                                  .send = send});
    }
}

/* Message and receive are both there: now is the later of arrival and posting. */
static void meet(const engine_turn *t, const event_entry *message, const event_entry *receive)
{
    const event_item *m = &message->item;
    const bool rendezvous = (m->flags & EVENT_RENDEZVOUS) != 0;
    if (rendezvous) {
        const record_bound bound =
            receive->item.time > m->time ? RECORD_BY_POSTING : RECORD_BY_NETWORK;
        record_meeting(t, RECORD_MEET, bound, m, receive->item.index, m->index);
    }
    if (rendezvous && !t->p->e->instant) {
        const event_entry both = matched(message, receive, EVENT_DATA);
        meet_request(t, &both);
        return;
    }
    const event_entry entry = matched_receive(message, receive);
    add_own(t, &entry);
    if (rendezvous) {
        sim_engine_release(t, m->peer, m->index);
    }
}

/* A message that has been accepted meets its receive, which is posted now. */
static void finish_late_receive(const engine_turn *t, const event_entry *message,
                                const event_entry *receive)
{
    const engine *e = t->p->e;
    const event_item *m = &message->item;
    const uint32_t index = receive->item.index;
    const sim_time posted = receive->item.time;
    record_meeting(t, RECORD_LATE, m->time >= posted ? RECORD_BY_NETWORK : RECORD_BY_POSTING, m,
                   index, m->index);
    const size_t n = engine_finish_op(t, index, engine_max(posted, m->time), t->p->posted);
    engine_take_up(t, t->p->posted, n, false);
    if ((m->flags & EVENT_RENDEZVOUS) != 0 && e->instant) {
        sim_engine_release(t, m->peer, m->index);
    }
}

/* A receive, posted now, finds message @p m, which is on the event list. */
static void post_to_message(const engine_turn *t, const event_entry *entry, event_item *m,
                            uint32_t ref)
{
    engine_partition *p = t->p;
    if (m->kind == EVENT_RECEIVE) { /* it is to be accepted yet */
        m->flags |= EVENT_MATCHED;
        m->send = m->index;
        m->index = entry->item.index;
        if (engine_keeps_causes(p->e)) {
            *sim_event_list_cause(&p->event_list, t->r, ref) = entry->cause;
        }
        return;
    }
    if (m->flags == 0) { /* polling, eager */
        match_receive(m, &entry->item, m);
        if (engine_keeps_causes(p->e)) {
            *sim_event_list_cause(&p->event_list, t->r, ref) = entry->cause;
        }
        event_list_become(&p->event_list, t->r, t->rank, ref, EVENT_RECEIVE);
        return;
    }
    if (m->flags == EVENT_RENDEZVOUS && !p->e->instant && !engine_recorded(p->e)) {
        if (engine_keeps_causes(p->e)) {
            *sim_event_list_cause(&p->event_list, t->r, ref) = entry->cause;
        }
        meet_request_early(t, m, ref, m, &entry->item);
        return;
    }
    event_entry message;
    sim_event_list_remove(&p->event_list, t->r, ref, &message);
    if ((message.item.flags & EVENT_ACCEPTED) != 0) {
        finish_late_receive(t, &message, entry);
    } else if (message.item.time > p->now) { /* a request, matched early: they meet when it comes */
        const event_entry later = matched(&message, entry, EVENT_ARRIVAL);
        add_own(t, &later);
    } else {
        meet(t, &message, entry);
    }
}

/* A message of the rank, there or on its way, that a receive posted now meets. */
static inline event_item *find_message(const engine_turn *t, const event_item *receive,
                                       uint32_t *ref)
{
    event_list *a = &t->p->event_list;
    event_item *m = event_list_find_message(a, t->r, t->rank, receive, ref);
    if (m == NULL && t->p->e->match_named && receive->peer != SIM_ANY && receive->tag != SIM_ANY &&
        !event_list_has_spilled(t->r)) {
        m = event_list_find_arrival(a, t->r, t->rank, receive, ref);
    }
    return m;
}

static void engine_post(const engine_turn *t, const event_entry *entry, uint32_t ref)
{
    engine_partition *p = t->p;
    const engine *e = p->e;
    const uint32_t index = entry->item.index;
    if (__builtin_expect(engine_recorded(e), 0)) {
        const event_cause *cause = &entry->cause;
        record_add(&p->log,
                   &(record_step){.kind = RECORD_POST,
                                  .bound = cause->at_start ? RECORD_BY_START : RECORD_BY_FINISH,
                                  .rank = t->rank,
                                  .op = index,
                                  .by = {.op = cause->cause, .source = SIM_ANY}});
    }
    const size_t n = engine_start_op(t, &entry->item, p->now, p->posted);
    if (n > 0) {
        if (ref != EVENT_TAKEN) { /* what is added may move it */
            sim_event_list_remove(&p->event_list, t->r, ref, NULL);
            ref = EVENT_TAKEN;
        }
        engine_take_up(t, p->posted, n, false);
    }
    uint32_t found = 0;
    event_item *m = find_message(t, &entry->item, &found);
    if (m == NULL) {
        event_list_post(&p->event_list, t->r, t->rank, ref, entry);
        return;
    }
    if (ref != EVENT_TAKEN) {
        sim_event_list_remove(&p->event_list, t->r, ref, NULL);
        m = find_message(t, &entry->item, &found);
    }
    if (!is_truncated(p, t->rank, m, &entry->item)) {
        post_to_message(t, entry, m, found);
    }
}

static void arrive(const engine_turn *t, const event_entry *entry)
{
    engine_partition *p = t->p;
    const engine *e = p->e;
    if ((entry->item.flags & EVENT_MATCHED) != 0) {
        record_meeting(t, RECORD_MEET, RECORD_BY_NETWORK, &entry->item, entry->item.index,
                       entry->item.send);
        meet_request(t, entry);
        return;
    }
    const uint8_t kind = unmatched_kind(e, &entry->item);
    uint32_t ref = 0;
    if (event_list_find_receive(&p->event_list, t->r, t->rank, &entry->item, &ref) == NULL) {
        event_entry waiting = *entry;
        waiting.item.kind = kind;
        add_own(t, &waiting);
        return;
    }
    event_entry receive;
    sim_event_list_remove(&p->event_list, t->r, ref, &receive);
    if (is_truncated(p, t->rank, &entry->item, &receive.item)) {
        return;
    }
    if (kind == EVENT_RECEIVE) {
        const event_entry acceptance = matched(entry, &receive, EVENT_RECEIVE);
        add_own(t, &acceptance);
    } else {
        meet(t, entry, &receive);
    }
}

static void engine_event_step(const engine_turn *t, const event_entry *entry, uint32_t ref)
{
    switch ((event_kind)entry->item.kind) {
    case EVENT_POST:
        engine_post(t, entry, ref);
        break;
    case EVENT_ARRIVAL:
        arrive(t, entry);
        break;
    case EVENT_CLEAR:
        clear_to_send(t, &entry->item);
        break;
    default:
        engine_release_send(t, entry->item.index);
    }
}

/* ---- from outside ---- */

static void add_message(engine_partition *p, engine_rank *r, const engine_message *m, uint8_t kind)
{
    static const event_cause cause = {0};
    event_item *i = event_list_new(&p->event_list, r, m->dest);
    *i = m->item;
    i->kind = kind;
    event_list_add(&p->event_list, r, m->dest, i, &cause);
    if (kind != EVENT_UNEXPECTED) {
        engine_due(p, r, m->dest, event_list_start(&p->event_list, r, i));
    }
}

/* Of a program with wildcards: is there a receive that is sure to get the message? */
static bool meets_named_receive(engine_partition *p, engine_rank *r, const event_item *message)
{
    uint32_t ref = 0;
    if (!p->e->match_named || message->tag == SIM_ANY || event_list_has_spilled(r) ||
        event_list_has_arrival(&p->event_list, r, message)) {
        return false;
    }
    const event_item *i = event_list_find_receive(&p->event_list, r, 0, message, &ref);
    return i != NULL && i->peer != SIM_ANY && i->tag != SIM_ANY;
}

/* async: the same as matched() makes, where receive @p i is. */
static inline void match_accepted(event_item *i, const event_item *message)
{
    const uint32_t index = i->index;
    const uint8_t cpu = i->cpu;
    *i = *message;
    i->send = message->index;
    i->index = index;
    i->kind = EVENT_RECEIVE;
    i->cpu = cpu;
    i->flags |= EVENT_MATCHED;
}

static void deliver_sent(engine_partition *p, engine_rank *r, const engine_message *m)
{
    const engine *e = p->e;
    const bool rendezvous = (m->item.flags & EVENT_RENDEZVOUS) != 0;
    if (__builtin_expect(rendezvous, 0)) {
        p->rendezvous[event_list_level(&p->event_list, &m->item)] = true;
    }
    if (!e->match_early && !meets_named_receive(p, r, &m->item)) {
        add_message(p, r, m, EVENT_ARRIVAL);
        return;
    }
    uint32_t ref = 0;
    event_item *i = event_list_find_receive(&p->event_list, r, m->dest, &m->item, &ref);
    if (i == NULL) {
        add_message(p, r, m, unmatched_kind(e, &m->item));
        return;
    }
    if (is_truncated(p, m->dest, &m->item, i)) {
        sim_event_list_remove(&p->event_list, r, ref, NULL);
    } else if (rendezvous && !e->instant && !engine_recorded(e)) {
        const engine_turn t = {.p = p, .r = r, .rank = m->dest};
        meet_request_early(&t, i, ref, &m->item, i);
    } else if (rendezvous && !e->instant) {
        event_entry receive;
        sim_event_list_remove(&p->event_list, r, ref, &receive);
        const event_entry request = {.item = m->item};
        event_entry both = matched(&request, &receive, EVENT_ARRIVAL);
        both.item.time = engine_max(request.item.time, receive.item.time); /* goes_on */
        add_due(p, r, m->dest, &both);
    } else {
        if (engine_async(e)) {
            match_accepted(i, &m->item);
        } else {
            match_receive(i, i, &m->item);
        }
        event_list_become(&p->event_list, r, m->dest, ref, EVENT_RECEIVE);
        engine_due(p, r, m->dest, event_list_start(&p->event_list, r, i));
    }
}

static void engine_deliver(engine_partition *p, const engine_message *m)
{
    engine_rank *r = engine_rank_of(p->e, m->dest);
    if (__builtin_expect(m->item.kind == EVENT_ARRIVAL, 1)) {
        deliver_sent(p, r, m);
    } else if (m->item.kind == EVENT_DATA) {
        deliver_data(p, r, m);
    } else if (m->item.kind == EVENT_CLEAR) {
        deliver_clear(p, r, m);
    } else {
        const event_entry event = {.item = m->item};
        add_due(p, r, m->dest, &event);
    }
}
