/* sim/events/event_list_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The event list of a rank: its CPU work, network events, and what waits for a partner. Usually
 * there are few items. They lie, in the order in which they were added, in the cache lines right
 * behind the rank's clocks. What is taken out leaves its place vacant, or the last takes it; those
 * behind it move up only when there is no more room at the end. When they do not fit there, they
 * move to an array outside, of EVENT_OUTSIDE_FEW items or, later, EVENT_OUTSIDE; beyond that they
 * spill into heaps and hash tables (event_spill_private.h). When few are left, they move back.
 */
#pragma once

#include "events/event_item_private.h"
#include "record/message_cost_private.h"
#include "record/run_record_private.h"
#include "sim/program.h"

#include <stddef.h>

/* Compiled for runs that poll and that nobody watches? run_turn.inl */
#ifndef ENGINE_PLAIN
#define ENGINE_PLAIN 0
#endif
/* Of these, for runs under async? */
#ifndef ENGINE_ASYNC
#define ENGINE_ASYNC 0
#endif
/* May machines have levels? run_turn.inl */
#ifndef ENGINE_TOLD
#define ENGINE_TOLD 0
#endif
#ifndef ENGINE_LEVELS
#define ENGINE_LEVELS 1
#endif

/*
 * How many items lie inside: as many as an exchange with four neighbours takes if all of it comes
 * at once. With very many ranks, and for programs that seldom need that many, fewer, to save
 * memory.
 */
#define EVENT_INSIDE      12U
#define EVENT_INSIDE_FEW  6U
#define EVENT_MANY_RANKS  (UINT32_C(1) << 17)
#define EVENT_OUTSIDE_FEW 12U /* enough for 19 of 20 lists of more than 6 */
#define EVENT_OUTSIDE     32U
#define EVENT_SPILLED     UINT32_MAX /* engine_rank.outside: the items are in heaps and tables */

/* A rank begins on a cache line; its parts follow at the offsets in event_list_layout. */
typedef struct engine_rank {
    sim_time finish;  /* latest of its operations so far */
    uint32_t window;  /* when its turn is; calendar_queue_private.h uses this, parked and place */
    uint32_t parked;  /* a window for which it is in the queue though it is not due then */
    uint32_t outside; /* array of its items, if they are not inside, or EVENT_SPILLED */
    uint32_t num_sent;
    uint32_t active; /* bit i: item i is CPU work or an event */
    uint32_t events; /* bit i: it is an event; if it is not active either, place i is vacant */
    uint32_t posted; /* bit i: item i is EVENT_POSTED or, if it is active, a send behind another */
    uint8_t num_items; /* with vacant places, but the last is none */
    uint8_t place;     /* turn_place */
    bool is_parked;
    bool holds;       /* instant: there may be sends that are held */
    sim_time clock[]; /* CPUs, then tx, then rx of each interface */
} engine_rank;

static inline bool event_list_has_spilled(const engine_rank *r)
{
    return r->outside == EVENT_SPILLED;
}

/* Of a list that has not spilled: bit i: item i is an event. */
static inline uint32_t event_list_events(const engine_rank *r)
{
    return r->events & r->active;
}

/* Bit i: place i is vacant. */
static inline uint32_t event_list_vacant(const engine_rank *r)
{
    return r->events & ~r->active;
}

/* Bit i: there is an item i. */
static inline uint32_t event_list_items(const engine_rank *r)
{
    return (uint32_t)((UINT64_C(1) << r->num_items) - 1) & ~event_list_vacant(r);
}

/* Bit i: item i waits, and is not EVENT_POSTED. */
static inline uint32_t event_list_waiting(const engine_rank *r)
{
    return (uint32_t)((UINT64_C(1) << r->num_items) - 1) & ~(r->active | r->events | r->posted);
}

/* Of a list that has not spilled: bit i: item i is EVENT_POSTED. */
static inline uint32_t event_list_posted(const engine_rank *r)
{
    return r->posted & ~r->active;
}

/*
 * Bit i: item i is a send that certainly goes after another one on the list: with one CPU and one
 * interface sends go in the order of ready instant and index, whatever they wait for. Those behind
 * are in this order by place, and the first of them goes after one that is not behind.
 */
static inline uint32_t event_list_behind(const engine_rank *r)
{
    return r->posted & r->active;
}

/* Bit i: item i is CPU work or an event, and may be next. */
static inline uint32_t event_list_candidates(const engine_rank *r)
{
    return r->active & ~r->posted;
}

/* What a clock was last moved by. Before that: SIM_ANY, SIM_ANY */
typedef record_ref clock_cause;

typedef struct event_list_layout {
    uint32_t tx_at; /* clocks of sending interfaces, among the clocks */
    uint32_t rx_at;
    uint32_t num_clocks;
    /*
     * Interfaces from this on are those for messages within a node, whose level has parameters of
     * its own; UINT32_MAX: there are none. So a message's interface says which level it takes.
     */
    uint32_t node_nic;
    uint32_t inside; /* how many items */
    size_t items_at; /* bytes from the rank's beginning */
    size_t causes_at, clock_causes_at;
    size_t kept_at; /* what the engine keeps for each rank, right behind the clocks */
    size_t rank_bytes;
} event_list_layout;

typedef struct spills spills;

/* Arrays outside, all for as many items. */
typedef struct event_list_store {
    char **segment; /* of arrays */
    size_t array_bytes;
    uint32_t num_segments, num_arrays, free_array; /* array 0 is none */
} event_list_store;

/* The event lists of ranks that one thread works on. */
typedef struct event_list {
    event_list_layout at;
    bool async;
    bool keeps_causes; /* of what is on it, for a record or a sink that wants them */
    bool wildcards;
    bool plain;      /* one CPU, one interface */
    bool is_outside; /* some list has not been inside, be it spilled or not */
    message_costs costs[MESSAGE_LEVELS];
    event_list_store store[2]; /* for few and for more */
    spills *spills;            /* NULL: no list has spilled */
    event_item new_item;       /* the item being written, if the list has spilled */
} event_list;

static inline bool event_list_async(const event_list *a)
{
    return ENGINE_ASYNC || (!ENGINE_PLAIN && a->async);
}

static inline bool event_list_keeps_causes(const event_list *a)
{
    return !ENGINE_PLAIN && a->keeps_causes;
}

/** @param has_node messages within a node have a level of their own, and so interfaces */
event_list_layout sim_event_list_layout(const sim_program *program, bool has_node,
                                        bool keeps_causes, size_t kept_bytes);
void sim_event_list_init(event_list *a, const event_list_layout *layout, bool async,
                         bool keeps_causes, bool wildcards);
void sim_event_list_clear(event_list *a);

static inline sim_time event_list_later(sim_time a, sim_time b)
{
    return a > b ? a : b;
}

static inline bool event_list_is_event(const event_item *i)
{
    return i->kind >= EVENT_FIRST_EVENT;
}

/* A message is a candidate for receives that are posted. */
static inline bool event_list_is_unmatched(const event_list *a, const event_item *i)
{
    return i->kind == EVENT_UNEXPECTED ||
           (event_list_async(a) && i->kind == EVENT_RECEIVE && !(i->flags & EVENT_MATCHED));
}

static inline uint64_t event_list_arrival_tie(const event_item *i)
{
    return (uint64_t)i->peer << 32 | i->order;
}

/* Is event_item.index, of CPU work or an event, an operation of the rank itself? */
static inline bool event_list_has_op(bool async, const event_item *i)
{
    const bool message = i->kind == EVENT_ARRIVAL || (async && i->kind == EVENT_RECEIVE);
    return !message || (i->flags & EVENT_MATCHED) != 0;
}

/* docs/model.md, section 4.1; of events: section 4.2. */
static inline uint64_t event_list_tie(const event_list *a, const event_item *i)
{
    const bool by_message =
        i->kind == EVENT_ARRIVAL || (event_list_async(a) && i->kind == EVENT_RECEIVE);
    return by_message ? event_list_arrival_tie(i) : i->index;
}

/* CPU work: when it became ready. */
static inline sim_time event_list_ready(const event_list *a, const event_item *i)
{
    return i->kind == EVENT_RECEIVE && !event_list_async(a) ? event_list_later(i->time, i->arrival)
                                                            : i->time;
}

static inline clock_cause *event_list_clock_causes(const event_list *a, engine_rank *r)
{
    return (clock_cause *)(void *)((char *)r + a->at.clock_causes_at);
}

/** Of a send or a message. */
static inline message_level event_list_level(const event_list *a, const event_item *i)
{
    return ENGINE_LEVELS && i->nic >= a->at.node_nic ? MESSAGE_NODE : MESSAGE_NETWORK;
}

/** What a message costs on its level. Valid until the next call. */
static inline const message_cost *event_list_cost(event_list *a, const event_item *i)
{
    return message_cost_of(&a->costs[event_list_level(a, i)], i->size);
}

/** When CPU work can start, or an event happens, as things are. */
static inline sim_time event_list_start(event_list *a, const engine_rank *r, const event_item *i)
{
    if (event_list_is_event(i)) {
        return i->time;
    }
    const sim_time at = event_list_later(i->time, r->clock[i->cpu]);
    if (i->kind == EVENT_CALC) {
        return at;
    }
    if (i->kind == EVENT_SEND) {
        return event_list_later(at, r->clock[a->at.tx_at + i->nic]);
    }
    const sim_time rx = r->clock[a->at.rx_at + i->nic];
    if (event_list_async(a)) {
        return event_list_later(at, rx);
    }
    return event_list_later(at, event_list_later(i->arrival, rx) + event_list_cost(a, i)->delay);
}

/* ---- where items are: a reference holds until the next that is added or taken out ---- */

#define EVENT_SEGMENT 256U /* arrays outside that are allocated at once; a power of two */

/** Array @p outside / 2 of store @p outside % 2. */
static inline char *event_list_outside(const event_list *a, uint32_t outside)
{
    const event_list_store *s = &a->store[outside % 2];
    const uint32_t array = outside / 2;
    return s->segment[array / EVENT_SEGMENT] + array % EVENT_SEGMENT * s->array_bytes;
}

event_cause *sim_event_list_causes(const event_list *a, engine_rank *r);

static inline event_item *event_list_inside(const event_list *a, engine_rank *r)
{
    return (event_item *)(void *)((char *)r + a->at.items_at);
}

static inline event_item *event_items(const event_list *a, engine_rank *r)
{
    if (__builtin_expect(r->outside != 0, 0)) {
        return (event_item *)(void *)event_list_outside(a, r->outside);
    }
    return event_list_inside(a, r);
}

event_item *sim_event_list_item(const event_list *a, engine_rank *r, uint32_t ref);
/** The cause of an item; only if causes are kept. */
event_cause *sim_event_list_cause(const event_list *a, engine_rank *r, uint32_t ref);

/* ---- adding: event_list_new(), write all of the item, event_list_add() ---- */

/** The general path of event_list_new(): make space for one more item. */
event_item *sim_event_list_make_room(event_list *a, engine_rank *r, uint32_t rank);
/** The general path of event_list_add(): into a spill, or with a cause. */
void sim_event_list_add(event_list *a, engine_rank *r, uint32_t rank, const event_item *item,
                        const event_cause *cause);

/** Where the next item of @p rank, whose engine_rank is @p r, is to be written. */
static inline event_item *event_list_new(event_list *a, engine_rank *r, uint32_t rank)
{
    if (__builtin_expect(r->num_items < a->at.inside && r->outside == 0, 1)) {
        return &event_list_inside(a, r)[r->num_items];
    }
    return sim_event_list_make_room(a, r, rank);
}

/** Item @p k of a rank whose list has not spilled is there, or has become another. */
static inline void event_list_set_kind(engine_rank *r, uint32_t k, uint8_t kind)
{
    const uint32_t bit = UINT32_C(1) << k;
    const bool active = kind < EVENT_FIRST_WAITING;
    r->active = (r->active & ~bit) | (active ? bit : 0);
    r->events = (r->events & ~bit) | (active && kind >= EVENT_FIRST_EVENT ? bit : 0);
    r->posted = (r->posted & ~bit) | (kind == EVENT_POSTED ? bit : 0);
}

/** The same of the last item, which has been added. */
static inline void event_list_set_new(engine_rank *r, uint32_t k, uint8_t kind)
{
    r->active |= (uint32_t)(kind < EVENT_FIRST_WAITING) << k;
    r->events |= (uint32_t)(kind >= EVENT_FIRST_EVENT && kind < EVENT_FIRST_WAITING) << k;
    r->posted |= (uint32_t)(kind == EVENT_POSTED) << k;
}

/** Item @p k is gone. */
static inline void event_list_vacate(engine_rank *r, uint32_t k)
{
    const uint32_t bit = UINT32_C(1) << k;
    r->active &= ~bit;
    r->posted &= ~bit;
    if (k + 1U != r->num_items) {
        r->events |= bit;
        return;
    }
    r->events &= ~bit;
    r->num_items = (uint8_t)k;
    if (__builtin_expect(event_list_vacant(r) != 0, 0)) { /* there may be some before it */
        const uint32_t items = event_list_items(r);
        r->num_items = (uint8_t)(items != 0 ? 32 - __builtin_clz(items) : 0);
        r->events &= (UINT32_C(1) << r->num_items) - 1;
    }
}

/** What event_list_new() returned has been written. @p cause is NULL unless causes are kept. */
static inline void event_list_add(event_list *a, engine_rank *r, uint32_t rank,
                                  const event_item *item, const event_cause *cause)
{
    if (__builtin_expect(event_list_keeps_causes(a) || event_list_has_spilled(r), 0)) {
        sim_event_list_add(a, r, rank, item, cause);
        return;
    }
    const uint32_t k = r->num_items++;
    event_list_set_new(r, k, item->kind);
}

/** Of two sends that are ready at @p at and @p than, does the first go after the other? */
static inline bool event_list_send_goes_after(sim_time at, uint32_t index, sim_time than,
                                              uint32_t than_index)
{
    return at > than || (at == than && index > than_index);
}

/**
 * The send that was added last, and is the last item, goes after another one on the list. Nothing
 * is lost if it is not noted; only if all that are behind are in order it can be.
 */
static inline void event_list_note_behind(event_list *a, engine_rank *r)
{
    if (!a->plain || __builtin_expect(event_list_has_spilled(r), 0)) {
        return;
    }
    const uint32_t k = r->num_items - 1U;
    const uint32_t behind = event_list_behind(r);
    if (behind != 0) {
        const event_item *items = event_items(a, r);
        const event_item *last = &items[31 - __builtin_clz(behind)];
        if (!event_list_send_goes_after(items[k].time, items[k].index, last->time, last->index)) {
            return;
        }
    }
    r->posted |= UINT32_C(1) << k;
}

/** Something of @p kind has been taken: if it is a send, the first that is behind moves up. */
static inline void event_list_move_up(engine_rank *r, uint8_t kind)
{
    if (kind == EVENT_SEND) {
        const uint32_t behind = event_list_behind(r);
        r->posted &= ~(behind & -behind);
    }
}

/** The same of CPU work or a receive to be posted. */
static inline void event_list_add_ready(event_list *a, engine_rank *r, uint32_t rank,
                                        const event_item *item, const event_cause *cause)
{
    if (__builtin_expect(event_list_keeps_causes(a) || event_list_has_spilled(r), 0)) {
        sim_event_list_add(a, r, rank, item, cause);
        return;
    }
    const uint32_t k = r->num_items++;
    r->active |= UINT32_C(1) << k;
    r->events |= (uint32_t)(item->kind == EVENT_POST) << k;
}

/** The same with something that lies elsewhere. */
static inline void event_list_add_entry(event_list *a, engine_rank *r, uint32_t rank,
                                        const event_entry *entry)
{
    event_item *item = event_list_new(a, r, rank);
    *item = entry->item;
    event_list_add(a, r, rank, item, &entry->cause);
}

/* ---- event_list_slow.c ---- */

#define EVENT_NEVER INT64_MAX

/** The general path of event_list_next(). */
sim_time sim_event_list_next(event_list *a, engine_rank *r, sim_time now, uint32_t *which);

/**
 * The instant, @p now at the earliest, at which the rank can do its next thing; EVENT_NEVER if
 * there is none.
 * @param which for event_list_take()
 */
static inline sim_time event_list_next(event_list *a, engine_rank *r, sim_time now, uint32_t *which)
{
    const uint32_t candidates = event_list_candidates(r);
    if ((candidates & (candidates - 1)) != 0 || __builtin_expect(r->outside != 0, 0)) {
        return sim_event_list_next(a, r, now, which);
    }
    if (candidates == 0) {
        return EVENT_NEVER;
    }
    *which = (uint32_t)__builtin_ctz(candidates); /* there is only one */
    return event_list_start(a, r, &event_list_inside(a, r)[*which]);
}

#define EVENT_TAKEN UINT32_MAX

/** Does an item that is taken stay on the list? event_list_take() */
static inline bool event_list_stays(const event_list *a, const event_item *i)
{
    return i->kind == EVENT_POST ||
           (event_list_async(a) && i->kind == EVENT_RECEIVE && (i->flags & EVENT_MATCHED) == 0);
}

/** The general path of event_list_take(). */
uint32_t sim_event_list_take(event_list *a, engine_rank *r, uint32_t which, event_entry *out);

/**
 * Take out what sim_event_list_next() named; nothing has been added since. But a message to be
 * accepted that has no receive stays, for receives to find it, and a receive to be posted may.
 * @return reference to what has stayed, or EVENT_TAKEN
 */
static inline uint32_t event_list_take(event_list *a, engine_rank *r, uint32_t which,
                                       event_entry *out)
{
    if (__builtin_expect(event_list_keeps_causes(a) || r->outside != 0, 0)) {
        return sim_event_list_take(a, r, which, out);
    }
    out->item = event_list_inside(a, r)[which];
    if (event_list_stays(a, &out->item)) {
        return which;
    }
    event_list_vacate(r, which);
    event_list_move_up(r, out->item.kind);
    return EVENT_TAKEN;
}
/** The item of a kind, EVENT_HELD or EVENT_DATA, and operation that is there. It must go now, as
 * event_list_find_receive() says. */
event_item *sim_event_list_find_op(event_list *a, engine_rank *r, uint32_t rank, event_kind kind,
                                   uint32_t index, uint32_t *ref);
/** Take out an item. @p out may be NULL. */
void sim_event_list_remove(event_list *a, engine_rank *r, uint32_t ref, event_entry *out);
/**
 * The sends that are held, whose messages arrive by @p when, and of which it is not known when they
 * will be released.
 * @param out [most] their operations
 * @return how many; more than @p most if they were not looked through
 */
uint32_t sim_event_list_held(const event_list *a, engine_rank *r, sim_time when, uint32_t *out,
                             uint32_t most);
/** It is known when operation @p send, which is held, will be released. */
void sim_event_list_note_known(const event_list *a, engine_rank *r, uint32_t send);
/** The general path of event_list_exposed_from(). */
sim_time sim_event_list_exposed_from(const event_list *a, engine_rank *r);

/**
 * instant: the arrival of the first message whose send is held, or something before it;
 * EVENT_NEVER if none is.
 */
static inline sim_time event_list_exposed_from(const event_list *a, engine_rank *r)
{
    return __builtin_expect(r->holds, 0) ? sim_event_list_exposed_from(a, r) : EVENT_NEVER;
}

/**
 * What waits for a partner; of lists that have spilled, 0: sim_spills_left().
 * @param out [EVENT_OUTSIDE] @return how many there are
 */
size_t sim_event_list_left(const event_list *a, engine_rank *r, event_item *out);
