/* sim/events/event_spill.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_random, test_run_record. */
#include "events/event_order_private.h"
#include "events/event_spill_private.h"
#include "events/matching_private.h"
#include "events/pair_table_private.h"
#include "events/pending_private.h"

#include <glib.h>

/* What the lists of a thread have spilled. */
struct spills {
    pending_pool pending;
    matching *matching;
    pair_table *by_op; /* EVENT_HELD, EVENT_DATA */
};

/* Of one rank: where its items would be. */
typedef struct spill {
    uint32_t classes;    /* CPU work */
    pending_heap events; /* by (when, kind, tie) */
    uint64_t num_items;
    uint64_t num_held;  /* of them */
    sim_time held_from; /* instant: no message of theirs arrives before */
} spill;

_Static_assert(sizeof(spill) <= EVENT_INSIDE_FEW * sizeof(event_item), "it must fit there");

static spill *spill_of(const event_list *a, engine_rank *r)
{
    return (spill *)(void *)event_list_inside(a, r);
}

spills *sim_spills_new(event_list *a)
{
    spills *c = g_new0(spills, 1);
    sim_pending_init(&c->pending, a);
    c->matching = sim_matching_new(a->wildcards);
    c->by_op = sim_pair_table_new();
    return c;
}

void sim_spills_free(spills *c)
{
    if (c != NULL) {
        sim_pending_clear(&c->pending);
        sim_matching_free(c->matching);
        sim_pair_table_free(c->by_op);
        g_free(c);
    }
}

void sim_spill_begin(event_list *a, engine_rank *r)
{
    r->num_items = 0;
    r->outside = EVENT_SPILLED;
    r->active = r->events = r->posted = 0;
    *spill_of(a, r) = (spill){0};
}

static matching_envelope envelope_of(uint32_t rank, const event_item *i)
{
    return (matching_envelope){.rank = rank, .source = i->peer, .tag = i->tag, .comm = i->comm};
}

/* What is held, or waits for data, is known by its kind and operation. */
static matching_envelope op_envelope(uint32_t rank, event_kind kind, uint32_t index)
{
    return (matching_envelope){.rank = rank, .source = index, .tag = kind};
}

/* Of kinds that are neither CPU work, nor events, nor known by their operation, nothing is noted.
 */
void sim_spill_become(event_list *a, engine_rank *r, uint32_t rank, uint32_t ref)
{
    spills *c = a->spills;
    spill *own = spill_of(a, r);
    pending_item *i = &c->pending.item[ref];
    const event_kind kind = (event_kind)i->item.kind;
    if (kind < EVENT_FIRST_EVENT) {
        sim_pending_add(&c->pending, &own->classes, ref);
    } else if (kind < EVENT_FIRST_WAITING) {
        i->key = i->item.time;
        sim_pending_push(&c->pending, &own->events, ref);
    } else if (kind == EVENT_HELD || kind == EVENT_DATA) {
        const matching_envelope envelope = op_envelope(rank, kind, i->item.index);
        sim_pair_table_wait(c->by_op, &envelope, ref, false);
        if (kind == EVENT_HELD) {
            const sim_time arrival = i->item.arrival;
            own->held_from = own->num_held++ > 0 ? MIN(own->held_from, arrival) : arrival;
        }
    }
}

void sim_spill_add(event_list *a, engine_rank *r, uint32_t rank, const event_item *item,
                   const event_cause *cause)
{
    spills *c = a->spills;
    const uint32_t ref = sim_pending_new(&c->pending);
    c->pending.item[ref].item = *item;
    if (a->keeps_causes) {
        c->pending.cause[ref] = *cause;
    }
    spill_of(a, r)->num_items++;
    const bool message = event_list_is_unmatched(a, item);
    if (message || item->kind == EVENT_POSTED) {
        const matching_envelope envelope = envelope_of(rank, item);
        sim_matching_wait(c->matching, &envelope, ref, message);
    }
    sim_spill_become(a, r, rank, ref);
}

static event_entry entry_at(const event_list *a, uint32_t ref)
{
    const pending_pool *pool = &a->spills->pending;
    event_entry entry = {.item = pool->item[ref].item};
    if (a->keeps_causes) {
        entry.cause = pool->cause[ref];
    }
    return entry;
}

/* When nothing is left the list of the rank has not spilled any more. */
void sim_spill_remove(event_list *a, engine_rank *r, uint32_t ref, event_entry *out)
{
    spill *own = spill_of(a, r);
    pending_pool *pool = &a->spills->pending;
    if (out != NULL) {
        *out = entry_at(a, ref);
    }
    sim_pending_drop(pool, ref);
    if (--own->num_items == 0) {
        r->outside = 0;
    }
}

event_item *sim_spill_item(const event_list *a, uint32_t ref)
{
    return &a->spills->pending.item[ref].item;
}

event_cause *sim_spill_cause(const event_list *a, uint32_t ref)
{
    return &a->spills->pending.cause[ref];
}

/* From when on the interface that a class needs is free; calcs need none. */
static sim_time class_nic(const event_list *a, const engine_rank *r, const pending_class *c)
{
    switch ((event_kind)c->kind) {
    case EVENT_CALC:
        return 0;
    case EVENT_SEND:
        return r->clock[a->at.tx_at + c->nic];
    default:
        return r->clock[a->at.rx_at + c->nic];
    }
}

sim_time sim_spill_next(event_list *a, engine_rank *r, uint32_t *which)
{
    pending_pool *pool = &a->spills->pending;
    const spill *own = spill_of(a, r);
    sim_time least = EVENT_NEVER;
    uint32_t first = PENDING_NONE;
    for (uint32_t c = own->classes; c != PENDING_NONE; c = pool->class[c].next) {
        sim_time start = 0;
        const pending_class *class = &pool->class[c];
        const uint32_t item =
            sim_pending_first(pool, c, r->clock[class->cpu], class_nic(a, r, class), &start);
        if (start < least ||
            (start == least && first != PENDING_NONE &&
             event_list_work_goes_before(a, &pool->item[item].item, &pool->item[first].item))) {
            least = start;
            first = item;
            *which = c;
        }
    }
    const uint32_t event = sim_pending_top(pool, &own->events);
    if (event != PENDING_NONE && pool->item[event].key <= least) {
        least = pool->item[event].key;
        *which = PENDING_NONE; /* at one instant the network goes first */
    }
    return least;
}

uint32_t sim_spill_take(event_list *a, engine_rank *r, uint32_t which, event_entry *out)
{
    pending_pool *pool = &a->spills->pending;
    spill *own = spill_of(a, r);
    const uint32_t ref = which == PENDING_NONE ? sim_pending_pop(pool, &own->events)
                                               : sim_pending_take(pool, &own->classes, which);
    if (event_list_is_unmatched(a, &pool->item[ref].item)) {
        *out = entry_at(a, ref);
        return ref;
    }
    sim_spill_remove(a, r, ref, out);
    return EVENT_TAKEN;
}

bool sim_spill_event_due(const event_list *a, engine_rank *r, sim_time now)
{
    const uint32_t first = sim_pending_top(&a->spills->pending, &spill_of(a, r)->events);
    return first != PENDING_NONE && a->spills->pending.item[first].key <= now;
}

event_item *sim_spill_find_receive(event_list *a, uint32_t rank, const event_item *message,
                                   uint32_t *ref)
{
    const matching_envelope envelope = envelope_of(rank, message);
    *ref = sim_matching_take_receive(a->spills->matching, &envelope);
    return *ref != MATCHING_NONE ? &a->spills->pending.item[*ref].item : NULL;
}

void sim_spill_prefetch_receive(const event_list *a, uint32_t rank, const event_item *message)
{
    const matching_envelope envelope = envelope_of(rank, message);
    sim_matching_prefetch(a->spills->matching, &envelope);
}

void sim_spill_prefetch_found(const event_list *a, uint32_t rank, const event_item *message)
{
    const matching_envelope envelope = envelope_of(rank, message);
    const uint32_t ref = sim_matching_peek(a->spills->matching, &envelope, false);
    __builtin_prefetch(&a->spills->pending.item[ref], 1);
}

event_item *sim_spill_find_message(event_list *a, uint32_t rank, const event_item *receive,
                                   uint32_t *ref)
{
    const matching_envelope envelope = envelope_of(rank, receive);
    *ref = sim_matching_take_message(a->spills->matching, &envelope);
    return *ref != MATCHING_NONE ? &a->spills->pending.item[*ref].item : NULL;
}

sim_time sim_spill_exposed_from(const event_list *a, engine_rank *r)
{
    const spill *own = spill_of(a, r);
    return own->num_held > 0 ? own->held_from : EVENT_NEVER;
}

event_item *sim_spill_find_op(event_list *a, engine_rank *r, uint32_t rank, event_kind kind,
                              uint32_t index, uint32_t *ref)
{
    const matching_envelope envelope = op_envelope(rank, kind, index);
    *ref = sim_pair_table_take(a->spills->by_op, &envelope, false);
    spill_of(a, r)->num_held -= kind == EVENT_HELD;
    return &a->spills->pending.item[*ref].item;
}

size_t sim_spills_num_left(const event_list *a)
{
    return a->spills != NULL ? sim_matching_num_left(a->spills->matching) : 0;
}

void sim_spills_left(const event_list *a, spill_left *out)
{
    const size_t n = sim_spills_num_left(a);
    if (n == 0) {
        return;
    }
    g_autofree matching_left *left = g_new(matching_left, n);
    sim_matching_left(a->spills->matching, left);
    for (size_t i = 0; i < n; i++) {
        out[i] = (spill_left){.rank = left[i].envelope.rank,
                              .item = a->spills->pending.item[left[i].ref].item};
    }
}
