/* sim/events/event_spill.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_random, test_run_record. */
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

spills *sim_spills_new(const event_list *a)
{
    spills *c = g_new0(spills, 1);
    const message_costs *network = &a->costs[MESSAGE_NETWORK];
    const message_costs *node = &a->costs[MESSAGE_NODE];
    const bool delays = network->G > network->O || node->G > node->O;
    sim_pending_init(&c->pending, !a->async && delays);
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

static void add_work(event_list *a, spill *own, uint32_t item)
{
    pending_item *i = &a->spills->pending.item[item];
    const event_item *work = &i->entry.item;
    i->key = i->ready = event_list_ready(a, work);
    i->tie = event_list_tie(a, work);
    i->delay = 0;
    if (work->kind == EVENT_RECEIVE && !a->async) {
        i->delay = event_list_cost(a, work)->delay;
        i->key = event_list_later(work->time, work->arrival + i->delay);
    }
    sim_pending_add(&a->spills->pending, &own->classes, item);
}

void sim_spill_add(event_list *a, engine_rank *r, uint32_t rank, const event_item *item,
                   const event_cause *cause)
{
    spills *c = a->spills;
    spill *own = spill_of(a, r);
    const uint32_t ref = sim_pending_new(&c->pending);
    pending_item *i = &c->pending.item[ref];
    i->entry.item = *item;
    if (a->keeps_causes) {
        i->entry.cause = *cause;
    }
    own->num_items++;
    const event_kind kind = (event_kind)item->kind;
    if (kind == EVENT_HELD || kind == EVENT_DATA) {
        const matching_envelope envelope = op_envelope(rank, kind, item->index);
        sim_pair_table_wait(c->by_op, &envelope, ref, false);
        if (kind == EVENT_HELD) {
            own->held_from =
                own->num_held++ > 0 ? MIN(own->held_from, item->arrival) : item->arrival;
        }
        return;
    }
    const bool message = event_list_is_unmatched(a, item);
    if (message || kind == EVENT_POSTED) {
        const matching_envelope envelope = envelope_of(rank, item);
        sim_matching_wait(c->matching, &envelope, ref, message);
    }
    if (kind < EVENT_FIRST_EVENT) {
        add_work(a, own, ref);
    } else if (kind < EVENT_FIRST_WAITING) {
        i->key = item->time;
        i->ready = (sim_time)kind;
        i->tie = event_list_tie(a, item);
        sim_pending_push(&c->pending, &own->events, ref);
    }
}

/* When nothing is left the list of the rank has not spilled any more. */
void sim_spill_remove(event_list *a, engine_rank *r, uint32_t ref, event_entry *out)
{
    spill *own = spill_of(a, r);
    const event_entry *entry = &a->spills->pending.item[ref].entry;
    if (out != NULL) {
        *out = *entry;
    }
    own->num_held -= entry->item.kind == EVENT_HELD;
    sim_pending_drop(&a->spills->pending, ref);
    if (--own->num_items == 0) {
        r->outside = 0;
    }
}

void sim_spill_become(event_list *a, engine_rank *r, uint32_t ref)
{
    if (a->spills->pending.item[ref].entry.item.kind < EVENT_FIRST_EVENT) {
        add_work(a, spill_of(a, r), ref);
    }
}

event_item *sim_spill_item(const event_list *a, uint32_t ref)
{
    return &a->spills->pending.item[ref].entry.item;
}

event_cause *sim_spill_cause(const event_list *a, uint32_t ref)
{
    return &a->spills->pending.item[ref].entry.cause;
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

/* docs/model.md, section 4.1, between the firsts of two classes that start together. */
static bool goes_before(const pending_item *x, const pending_item *y)
{
    const uint8_t kx = x->entry.item.kind;
    const uint8_t ky = y->entry.item.kind;
    if (x->ready != y->ready) {
        return x->ready < y->ready;
    }
    return kx < ky || (kx == ky && x->tie < y->tie);
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
        if (start < least || (start == least && first != PENDING_NONE &&
                              goes_before(&pool->item[item], &pool->item[first]))) {
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
    if (event_list_is_unmatched(a, &pool->item[ref].entry.item)) {
        *out = pool->item[ref].entry;
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
    return *ref != MATCHING_NONE ? &a->spills->pending.item[*ref].entry.item : NULL;
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
    const char *item = (const char *)&a->spills->pending.item[ref];
    __builtin_prefetch(item, 1);
    __builtin_prefetch(item + 64, 1);
}

event_item *sim_spill_find_message(event_list *a, uint32_t rank, const event_item *receive,
                                   uint32_t *ref)
{
    const matching_envelope envelope = envelope_of(rank, receive);
    *ref = sim_matching_take_message(a->spills->matching, &envelope);
    return *ref != MATCHING_NONE ? &a->spills->pending.item[*ref].entry.item : NULL;
}

sim_time sim_spill_exposed_from(const event_list *a, engine_rank *r)
{
    const spill *own = spill_of(a, r);
    return own->num_held > 0 ? own->held_from : EVENT_NEVER;
}

uint32_t sim_spill_find_op(event_list *a, uint32_t rank, event_kind kind, uint32_t index)
{
    const matching_envelope envelope = op_envelope(rank, kind, index);
    return sim_pair_table_take(a->spills->by_op, &envelope, false);
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
                              .item = a->spills->pending.item[left[i].ref].entry.item};
    }
}
