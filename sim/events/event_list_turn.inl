/* sim/events/event_list_turn.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What turns of ranks do with event lists all the time; included by engine/run_steps_private.h
 * alone, to be inlined into all kinds of turns (run_turn.inl).
 */
#pragma once

#include "events/event_list_private.h"
#include "events/event_spill_private.h"

/**
 * An item that waited has become CPU work, an event, or waits for data now; or a message that was
 * taken up and not found by a receive yet waits on. Its kind, now @p kind, and all else has been
 * changed where it is.
 */
static inline void event_list_become(event_list *a, engine_rank *r, uint32_t rank, uint32_t ref,
                                     event_kind kind)
{
    if (__builtin_expect(event_list_has_spilled(r), 0)) {
        sim_spill_become(a, r, rank, ref);
    } else {
        event_list_set_kind(r, ref, kind);
    }
}

/**
 * Under polling, where messages meet receives when they are sent: is @p next, which goes first of
 * all that the rank has to do and does so at @p when, sure to be first, though messages may come
 * that arrive at @p end or later? Such a message is only kept, unless its receive is posted: then
 * it can be work from the later of both on, when the CPU is free; and if that is at @p when,
 * docs/model.md, section 4 says what is first. Of a list that has not spilled.
 * @param now of the rank's last step: later than that no receive has been posted
 * @param rendezvous there may be some: what is half done can go on then
 */
static inline bool event_list_is_settled(const event_list *a, engine_rank *r,
                                         const event_item *next, sim_time now, sim_time when,
                                         sim_time end, bool rendezvous)
{
    const event_item *items = event_items(a, r);
    for (uint32_t mask = rendezvous ? event_list_waiting(r) : 0; mask != 0; mask &= mask - 1) {
        if (items[__builtin_ctz(mask)].kind != EVENT_UNEXPECTED) {
            return false;
        }
    }
    const uint32_t posted = event_list_posted(r);
    if (posted == 0 || !a->plain) {
        return posted == 0;
    }
    const sim_time ready =
        now < end ? end : event_list_later(items[__builtin_ctz(posted)].time, end);
    const sim_time start = event_list_later(ready, r->clock[0]);
    if (when != start) {
        return when < start;
    }
    if (next->kind == EVENT_SEND) {
        return next->time <= ready;
    }
    return event_list_is_event(next) || event_list_ready(a, next) < ready;
}

/** Is an event of the rank due by @p now? */
static inline bool event_list_event_due(const event_list *a, engine_rank *r, sim_time now)
{
    if (__builtin_expect(event_list_has_spilled(r), 0)) {
        return sim_spill_event_due(a, r, now);
    }
    const event_item *items = event_items(a, r);
    for (uint32_t mask = event_list_events(r); mask != 0; mask &= mask - 1) {
        if (items[__builtin_ctz(mask)].time <= now) {
            return true;
        }
    }
    return false;
}

/** A receive to be posted, taken or stayed at @p ref, becomes EVENT_POSTED. */
static inline void event_list_post(event_list *a, engine_rank *r, uint32_t rank, uint32_t ref,
                                   const event_entry *entry)
{
    if (ref != EVENT_TAKEN && event_list_posted(r) >> ref == 0) { /* the last to be posted */
        event_items(a, r)[ref].kind = EVENT_POSTED;
        event_list_set_kind(r, ref, EVENT_POSTED);
        return;
    }
    if (ref != EVENT_TAKEN) {
        sim_event_list_remove(a, r, ref, NULL);
    }
    event_item *i = event_list_new(a, r, rank);
    *i = entry->item;
    i->kind = EVENT_POSTED;
    event_list_add(a, r, rank, i, &entry->cause);
}

/* ---- matching: docs/model.md, section 3 ---- */

static inline bool fits(const event_item *receive, const event_item *message)
{
    return receive->comm == message->comm &&
           (receive->peer == message->peer || receive->peer == SIM_ANY) &&
           (receive->tag == message->tag || receive->tag == SIM_ANY || message->tag == SIM_ANY);
}

/**
 * The first posted receive that fits a message of the rank, or NULL. It must go now:
 * sim_event_list_remove(), or be changed and event_list_become().
 */
static inline event_item *event_list_find_receive(event_list *a, engine_rank *r, uint32_t rank,
                                                  const event_item *message, uint32_t *ref)
{
    if (__builtin_expect(event_list_has_spilled(r), 0)) {
        return sim_spill_find_receive(a, rank, message, ref);
    }
    event_item *items = event_items(a, r);
    for (uint32_t mask = event_list_posted(r); mask != 0; mask &= mask - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(mask);
        if (fits(&items[k], message)) {
            *ref = k;
            return &items[k];
        }
    }
    return NULL;
}

/** Not spilled: is something on its way that the source of @p message has sent before? */
static inline bool event_list_has_arrival(const event_list *a, engine_rank *r,
                                          const event_item *message)
{
    const event_item *items = event_items(a, r);
    for (uint32_t mask = event_list_events(r); mask != 0; mask &= mask - 1) {
        const event_item *i = &items[__builtin_ctz(mask)];
        if (i->kind == EVENT_ARRIVAL && i->peer == message->peer) {
            return true;
        }
    }
    return false;
}

/**
 * Not spilled, with wildcards: the message on its way that a receive, which takes nothing else, is
 * sure to get; or NULL: there is none, or other receives may take it. To be made work where it is.
 */
static inline event_item *event_list_find_arrival(event_list *a, engine_rank *r, uint32_t rank,
                                                  const event_item *receive, uint32_t *ref)
{
    event_item *items = event_items(a, r);
    for (uint32_t mask = event_list_events(r); mask != 0; mask &= mask - 1) {
        event_item *m = &items[__builtin_ctz(mask)];
        if (m->kind != EVENT_ARRIVAL || m->peer != receive->peer || !fits(receive, m)) {
            continue;
        }
        if (m->flags != 0 || m->tag == SIM_ANY ||
            event_list_find_receive(a, r, rank, m, ref) != NULL) {
            return NULL;
        }
        *ref = (uint32_t)__builtin_ctz(mask);
        return m;
    }
    return NULL;
}

/**
 * The first message that fits a receive of the rank, or NULL. It must go now, as above; but one
 * that is to be accepted stays, and must be made EVENT_MATCHED.
 */
static inline event_item *event_list_find_message(event_list *a, engine_rank *r, uint32_t rank,
                                                  const event_item *receive, uint32_t *ref)
{
    if (__builtin_expect(event_list_has_spilled(r), 0)) {
        return sim_spill_find_message(a, rank, receive, ref);
    }
    event_item *items = event_items(a, r);
    const uint32_t work = event_list_async(a) ? r->active & ~r->events : 0;
    for (uint32_t mask = event_list_waiting(r) | work; mask != 0; mask &= mask - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(mask);
        if (event_list_is_unmatched(a, &items[k]) && fits(receive, &items[k])) {
            *ref = k;
            return &items[k];
        }
    }
    return NULL;
}
