/* sim/events/agenda_turn.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What turns of ranks do with agendas all the time: inlined into both kinds of them (run_turn.h).
 */
#pragma once

#include "events/agenda_private.h"
#include "events/crowd_private.h"

/**
 * An item has become CPU work, or a message that was taken up and not found by a receive yet waits
 * on; its kind, now @p kind, and all else has been changed where it is.
 */
static inline void agenda_become(agenda *a, engine_rank *r, uint32_t ref, agenda_kind kind)
{
    if (__builtin_expect(agenda_is_crowd(r), 0)) {
        sim_crowd_become(a, r, ref);
    } else {
        agenda_set_kind(r, ref, kind);
    }
}

/** Is an event of the rank due by @p now? */
static inline bool agenda_event_due(const agenda *a, engine_rank *r, sim_time now)
{
    if (__builtin_expect(agenda_is_crowd(r), 0)) {
        return sim_crowd_event_due(a, r, now);
    }
    const agenda_item *items = agenda_items(a, r);
    for (uint32_t mask = r->events; mask != 0; mask &= mask - 1) {
        if (items[__builtin_ctz(mask)].time <= now) {
            return true;
        }
    }
    return false;
}

/** A receive to be posted, taken or stayed at @p ref, becomes AGENDA_POSTED. */
static inline void agenda_post(agenda *a, engine_rank *r, uint32_t rank, uint32_t ref,
                               const agenda_entry *entry)
{
    if (ref != AGENDA_TAKEN && r->posted >> ref == 0) { /* the last to be posted */
        agenda_items(a, r)[ref].kind = AGENDA_POSTED;
        agenda_set_kind(r, ref, AGENDA_POSTED);
        return;
    }
    if (ref != AGENDA_TAKEN) {
        sim_agenda_remove(a, r, ref, NULL);
    }
    agenda_item *i = agenda_new(a, r, rank);
    *i = entry->item;
    i->kind = AGENDA_POSTED;
    agenda_add(a, r, rank, i, &entry->note);
}

/* ---- matching: simulation-model.md section 4 ---- */

static inline bool fits(const agenda_item *receive, const agenda_item *message)
{
    return receive->comm == message->comm &&
           (receive->peer == message->peer || receive->peer == SIM_ANY) &&
           (receive->tag == message->tag || receive->tag == SIM_ANY || message->tag == SIM_ANY);
}

/**
 * The first posted receive that fits a message of the rank, or NULL. It must go now:
 * sim_agenda_remove(), or be changed and agenda_become().
 */
static inline agenda_item *agenda_find_receive(agenda *a, engine_rank *r, uint32_t rank,
                                               const agenda_item *message, uint32_t *ref)
{
    if (__builtin_expect(agenda_is_crowd(r), 0)) {
        return sim_crowd_find_receive(a, rank, message, ref);
    }
    agenda_item *items = agenda_items(a, r);
    for (uint32_t mask = r->posted; mask != 0; mask &= mask - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(mask);
        if (fits(&items[k], message)) {
            *ref = k;
            return &items[k];
        }
    }
    return NULL;
}

/**
 * The first message that fits a receive of the rank, or NULL. It must go now, as above; but one
 * that is to be accepted stays, and must be made AGENDA_MATCHED.
 */
static inline agenda_item *agenda_find_message(agenda *a, engine_rank *r, uint32_t rank,
                                               const agenda_item *receive, uint32_t *ref)
{
    if (__builtin_expect(agenda_is_crowd(r), 0)) {
        return sim_crowd_find_message(a, rank, receive, ref);
    }
    agenda_item *items = agenda_items(a, r);
    const uint32_t all = (uint32_t)((UINT64_C(1) << r->num_items) - 1);
    for (uint32_t mask = all & ~(agenda_async(a) ? r->posted : r->posted | r->active); mask != 0;
         mask &= mask - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(mask);
        if (agenda_is_unmatched(a, &items[k]) && fits(receive, &items[k])) {
            *ref = k;
            return &items[k];
        }
    }
    return NULL;
}
