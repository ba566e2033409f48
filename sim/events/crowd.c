/* sim/events/crowd.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "events/crowd_private.h"
#include "events/matching_private.h"
#include "events/pair_table_private.h"
#include "events/pending_private.h"

#include <glib.h>

/* The crowds of a thread. */
struct crowds {
    pending_pool pending;
    matching *matching;
    pair_table *by_op; /* AGENDA_HELD, AGENDA_DATA */
};

/* Of one rank: where its items would be. */
typedef struct crowd {
    uint32_t classes; /* CPU work */
    uint32_t events;  /* heap by (when, kind, tie) */
    uint64_t num_items;
    uint64_t num_held;  /* of them */
    sim_time held_from; /* instant: no message of theirs arrives before */
} crowd;

_Static_assert(sizeof(crowd) <= AGENDA_INSIDE_FEW * sizeof(agenda_item), "it must fit there");

static crowd *crowd_of(const agenda *a, engine_rank *r)
{
    return (crowd *)(void *)agenda_inside(a, r);
}

crowds *sim_crowds_new(const agenda *a)
{
    crowds *c = g_new0(crowds, 1);
    sim_pending_init(&c->pending, !a->async && a->costs.G > a->costs.O);
    c->matching = sim_matching_new(a->wildcards);
    c->by_op = sim_pair_table_new();
    return c;
}

void sim_crowds_free(crowds *c)
{
    if (c != NULL) {
        sim_pending_clear(&c->pending);
        sim_matching_free(c->matching);
        sim_pair_table_free(c->by_op);
        g_free(c);
    }
}

void sim_crowd_begin(agenda *a, engine_rank *r)
{
    r->num_items = 0;
    r->outside = AGENDA_CROWD;
    r->active = r->events = r->posted = 0;
    *crowd_of(a, r) = (crowd){0};
}

static matching_envelope envelope_of(uint32_t rank, const agenda_item *i)
{
    return (matching_envelope){.rank = rank, .source = i->peer, .tag = i->tag, .comm = i->comm};
}

/* What is held, or waits for data, is known by its kind and operation. */
static matching_envelope op_envelope(uint32_t rank, agenda_kind kind, uint32_t index)
{
    return (matching_envelope){.rank = rank, .source = index, .tag = kind};
}

static void add_work(agenda *a, crowd *own, uint32_t item)
{
    pending_item *i = &a->crowds->pending.item[item];
    const agenda_item *work = &i->entry.item;
    i->key = i->ready = agenda_ready(a, work);
    i->tie = agenda_tie(a, work);
    i->delay = 0;
    if (work->kind == AGENDA_RECEIVE && !a->async) {
        i->delay = message_cost_of(&a->costs, work->size)->delay;
        i->key = agenda_later(work->time, work->arrival + i->delay);
    }
    sim_pending_add(&a->crowds->pending, &own->classes, item);
}

void sim_crowd_add(agenda *a, engine_rank *r, uint32_t rank, const agenda_item *item,
                   const agenda_note *note)
{
    crowds *c = a->crowds;
    crowd *own = crowd_of(a, r);
    const uint32_t ref = sim_pending_new(&c->pending);
    pending_item *i = &c->pending.item[ref];
    i->entry.item = *item;
    if (a->noted) {
        i->entry.note = *note;
    }
    own->num_items++;
    const agenda_kind kind = (agenda_kind)item->kind;
    if (kind == AGENDA_HELD || kind == AGENDA_DATA) {
        const matching_envelope envelope = op_envelope(rank, kind, item->index);
        sim_pair_table_wait(c->by_op, &envelope, ref, false);
        if (kind == AGENDA_HELD) {
            own->held_from =
                own->num_held++ > 0 ? MIN(own->held_from, item->arrival) : item->arrival;
        }
        return;
    }
    const bool message = agenda_is_unmatched(a, item);
    if (message || kind == AGENDA_POSTED) {
        const matching_envelope envelope = envelope_of(rank, item);
        sim_matching_wait(c->matching, &envelope, ref, message);
    }
    if (kind < AGENDA_FIRST_EVENT) {
        add_work(a, own, ref);
    } else if (kind < AGENDA_FIRST_WAITING) {
        i->key = item->time;
        i->ready = (sim_time)kind;
        i->tie = agenda_tie(a, item);
        sim_pending_push(&c->pending, &own->events, ref);
    }
}

/* When nothing is left the rank is no crowd any more. */
void sim_crowd_remove(agenda *a, engine_rank *r, uint32_t ref, agenda_entry *out)
{
    crowd *own = crowd_of(a, r);
    const agenda_entry *entry = &a->crowds->pending.item[ref].entry;
    if (out != NULL) {
        *out = *entry;
    }
    own->num_held -= entry->item.kind == AGENDA_HELD;
    sim_pending_drop(&a->crowds->pending, ref);
    if (--own->num_items == 0) {
        r->outside = 0;
    }
}

void sim_crowd_become(agenda *a, engine_rank *r, uint32_t ref)
{
    if (a->crowds->pending.item[ref].entry.item.kind < AGENDA_FIRST_EVENT) {
        add_work(a, crowd_of(a, r), ref);
    }
}

agenda_item *sim_crowd_item(const agenda *a, uint32_t ref)
{
    return &a->crowds->pending.item[ref].entry.item;
}

agenda_note *sim_crowd_note(const agenda *a, uint32_t ref)
{
    return &a->crowds->pending.item[ref].entry.note;
}

/* From when on the interface that a class needs is free; calcs need none. */
static sim_time class_nic(const agenda *a, const engine_rank *r, const pending_class *c)
{
    switch ((agenda_kind)c->kind) {
    case AGENDA_CALC:
        return 0;
    case AGENDA_SEND:
        return r->clock[a->at.tx_at + c->nic];
    default:
        return r->clock[a->at.rx_at + c->nic];
    }
}

/* simulation-model.md section 3, between the firsts of two classes that start together. */
static bool goes_before(const pending_item *x, const pending_item *y)
{
    const uint8_t kx = x->entry.item.kind;
    const uint8_t ky = y->entry.item.kind;
    if (x->ready != y->ready) {
        return x->ready < y->ready;
    }
    return kx < ky || (kx == ky && x->tie < y->tie);
}

sim_time sim_crowd_next(agenda *a, engine_rank *r, uint32_t *which)
{
    pending_pool *pool = &a->crowds->pending;
    const crowd *own = crowd_of(a, r);
    sim_time least = AGENDA_NEVER;
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
    if (own->events != PENDING_NONE && pool->item[own->events].key <= least) {
        least = pool->item[own->events].key;
        *which = PENDING_NONE; /* at one instant the network goes first */
    }
    return least;
}

uint32_t sim_crowd_take(agenda *a, engine_rank *r, uint32_t which, agenda_entry *out)
{
    pending_pool *pool = &a->crowds->pending;
    crowd *own = crowd_of(a, r);
    const uint32_t ref = which == PENDING_NONE ? sim_pending_pop(pool, &own->events)
                                               : sim_pending_take(pool, &own->classes, which);
    if (agenda_is_unmatched(a, &pool->item[ref].entry.item)) {
        *out = pool->item[ref].entry;
        return ref;
    }
    sim_crowd_remove(a, r, ref, out);
    return AGENDA_TAKEN;
}

bool sim_crowd_event_due(const agenda *a, engine_rank *r, sim_time now)
{
    const uint32_t first = crowd_of(a, r)->events;
    return first != PENDING_NONE && a->crowds->pending.item[first].key <= now;
}

agenda_item *sim_crowd_find_receive(agenda *a, uint32_t rank, const agenda_item *message,
                                    uint32_t *ref)
{
    const matching_envelope envelope = envelope_of(rank, message);
    *ref = sim_matching_take_receive(a->crowds->matching, &envelope);
    return *ref != MATCHING_NONE ? &a->crowds->pending.item[*ref].entry.item : NULL;
}

agenda_item *sim_crowd_find_message(agenda *a, uint32_t rank, const agenda_item *receive,
                                    uint32_t *ref)
{
    const matching_envelope envelope = envelope_of(rank, receive);
    *ref = sim_matching_take_message(a->crowds->matching, &envelope);
    return *ref != MATCHING_NONE ? &a->crowds->pending.item[*ref].entry.item : NULL;
}

sim_time sim_crowd_exposed_from(const agenda *a, engine_rank *r)
{
    const crowd *own = crowd_of(a, r);
    return own->num_held > 0 ? own->held_from : AGENDA_NEVER;
}

uint32_t sim_crowd_find_op(agenda *a, uint32_t rank, agenda_kind kind, uint32_t index)
{
    const matching_envelope envelope = op_envelope(rank, kind, index);
    return sim_pair_table_take(a->crowds->by_op, &envelope, false);
}

size_t sim_crowds_num_left(const agenda *a)
{
    return a->crowds != NULL ? sim_matching_num_left(a->crowds->matching) : 0;
}

void sim_crowds_left(const agenda *a, crowd_left *out)
{
    const size_t n = sim_crowds_num_left(a);
    if (n == 0) {
        return;
    }
    g_autofree matching_left *left = g_new(matching_left, n);
    sim_matching_left(a->crowds->matching, left);
    for (size_t i = 0; i < n; i++) {
        out[i] = (crowd_left){.rank = left[i].envelope.rank,
                              .item = a->crowds->pending.item[left[i].ref].entry.item};
    }
}
