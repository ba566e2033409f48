/* sim/engine/run_window.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The turns of the ranks of a partition in a window, and the messages between them; included by
 * run_turn.inl alone, which is compiled five times.
 */
#pragma once

#include "engine/run_steps_private.h"

#include <glib.h>

static inline void engine_due(engine_partition *p, engine_rank *r, uint32_t rank, sim_time when)
{
    const engine *e = p->e;
    if (__builtin_expect(e->width > 0, 1)) {
        calendar_queue_due(&p->queue, r, rank, when);
    } else if (when < sim_rank_queue_key(&p->e->heap, rank)) {
        sim_rank_queue_set(&p->e->heap, rank, when);
    }
}

/* ---- messages ---- */

static engine_message *new_outgoing(outbox *box)
{
    if (box->n == box->cap) {
        box->cap = MAX(2 * box->cap, 64);
        box->message = g_renew(engine_message, box->message, box->cap);
    }
    return &box->message[box->n++];
}

/* Cache lines of a rank: so many hold the clocks and a few items; with causes, so many more. */
enum { LINES = 3, FEW = 3, NOTED = 2 };

static inline void prefetch_lines(const engine_rank *r, size_t from, size_t to)
{
    const char *end = (const char *)r + to;
    for (const char *at = (const char *)r + from; at < end; at += 64) {
        __builtin_prefetch(at, 1);
    }
}

static inline void prefetch_event_list(const engine *e, uint32_t rank)
{
    prefetch_lines(engine_rank_of(e, rank), 0,
                   64 * (size_t)(LINES + (engine_keeps_causes(e) ? NOTED : 0)));
}

/*
 * Of a list that lies outside and has not spilled: the receives that are posted, which a message
 * looks through. Of many, the first lines: the hardware goes on where it is read in order.
 */
static void prefetch_posted(const engine_partition *p, const engine_rank *r)
{
    enum { MOST = 6 }; /* lines */
    const uint32_t posted = event_list_posted(r);
    if (posted == 0) {
        return;
    }
    const char *items = event_list_outside(&p->event_list, r->outside);
    const size_t first = (size_t)__builtin_ctz(posted) * sizeof(event_item);
    const size_t end = (size_t)(32 - __builtin_clz(posted)) * sizeof(event_item);
    for (size_t at = first / 64 * 64; at < MIN(end, first + (size_t)MOST * 64); at += 64) {
        __builtin_prefetch(items + at, 1);
    }
}

/* And the items that a turn looks at: not what is posted, which is mostly most of a long list. */
static void prefetch_pending(const engine_partition *p, const engine_rank *r)
{
    const char *items = event_list_outside(&p->event_list, r->outside);
    for (uint32_t mask = event_list_items(r) & ~r->posted; mask != 0; mask &= mask - 1) {
        const char *item = items + (size_t)__builtin_ctz(mask) * sizeof(event_item);
        __builtin_prefetch(item, 1);
        __builtin_prefetch(item + sizeof(event_item) - 1, 1);
    }
}

/*
 * What a message will touch on a list that is not inside, in steps that each need what the one
 * before has brought.
 */
static void prefetch_partner(const engine_partition *p, const engine_message *m, bool found)
{
    const engine_rank *r = engine_rank_of(p->e, m->dest);
    if (r->outside == 0 || m->item.kind != EVENT_ARRIVAL) {
        return;
    }
    if (!event_list_has_spilled(r)) {
        if (!found) {
            prefetch_posted(p, r);
        }
        return;
    }
    if (found) {
        sim_spill_prefetch_found(&p->event_list, m->dest, &m->item);
    } else {
        sim_spill_prefetch_receive(&p->event_list, m->dest, &m->item);
    }
}

/* The lines of a rank that has come near, but for the first, if it has so many more items. */
static inline void prefetch_items(const engine *e, const engine_rank *r, uint32_t more)
{
    const uint32_t n = r->num_items + more;
    if (n > FEW && r->outside == 0) {
        const size_t bytes = MIN(e->layout.items_at + n * sizeof(event_item), e->layout.rank_bytes);
        prefetch_lines(r, (size_t)LINES * 64, bytes);
    }
}

/* Of the messages held back, two that came some time before the next. */
static __attribute__((noinline)) void prefetch_delayed(const engine_partition *p)
{
    enum { LOOK_UP = 10, FOUND = 21 };
    const uint32_t next = p->first_delayed + p->num_delayed;
    if (p->num_delayed >= LOOK_UP) {
        prefetch_partner(p, &p->delayed[(next - LOOK_UP) % ENGINE_DELAY], false);
    }
    if (p->num_delayed >= FOUND) {
        prefetch_partner(p, &p->delayed[(next - FOUND) % ENGINE_DELAY], true);
    }
}

/* Deliver the first message that was delayed. */
static void deliver_delayed(engine_partition *p)
{
    const engine_message *m = &p->delayed[p->first_delayed];
    p->first_delayed = (p->first_delayed + 1) % ENGINE_DELAY;
    p->num_delayed--;
    engine_deliver(p, m);
}

static engine_message *engine_new_message(engine_partition *p, uint32_t dest)
{
    enum { NEAR = 10 }; /* messages until what was fetched has come */
    const engine *e = p->e;
    if (__builtin_expect(e->width == 0, 0)) {
        return &p->message;
    }
    const uint32_t to = rank_partition_of(&p->ranks, dest);
    if (to != p->ranks.partition) {
        return new_outgoing(&p->out[p->side][to]);
    }
    while (p->num_delayed == ENGINE_DELAY) { /* what is delivered may be answered */
        deliver_delayed(p);
    }
    if (__builtin_expect(p->event_list.is_outside, 0)) {
        prefetch_delayed(p);
    }
    prefetch_event_list(e, dest);
    if (p->num_delayed >= NEAR) {
        const uint32_t near = p->first_delayed + p->num_delayed - NEAR;
        prefetch_items(e, engine_rank_of(e, p->delayed[near % ENGINE_DELAY].dest), 1);
    }
    return &p->delayed[(p->first_delayed + p->num_delayed++) % ENGINE_DELAY];
}

static inline void engine_emit(engine_partition *p, const engine_message *m)
{
    if (m == &p->message) {
        const engine_message now = *m; /* what it causes may send the next */
        engine_deliver(engine_partition_of(p->e, m->dest), &now);
    } else if ((uintptr_t)m - (uintptr_t)p->delayed >= sizeof p->delayed) { /* it is in an outbox */
        p->out_from = MIN(p->out_from, m->item.time);
    }
}

static void engine_flush_delayed(engine_partition *p)
{
    while (p->num_delayed > 0) {
        deliver_delayed(p);
    }
}

static void engine_take_in(engine_partition *p)
{
    enum { AHEAD = 16, NEAR = 6, LOOK_UP = 8, FOUND = 4 };
    const engine *e = p->e;
    const bool outside = p->event_list.is_outside;
    const uint32_t side = p->side;
    p->side = 1 - side;
    p->out_from = EVENT_NEVER;
    for (uint32_t from = 0; from < e->num_partitions; from++) {
        outbox *box = &e->partition[from]->out[side][p->ranks.partition];
        for (size_t i = 0; i < box->n; i++) {
            if (i + AHEAD < box->n) {
                prefetch_event_list(e, box->message[i + AHEAD].dest);
            }
            if (i + NEAR < box->n) {
                prefetch_items(e, engine_rank_of(e, box->message[i + NEAR].dest), 1);
            }
            if (outside && i + LOOK_UP < box->n) {
                prefetch_partner(p, &box->message[i + LOOK_UP], false);
                prefetch_partner(p, &box->message[i + FOUND], true);
            }
            engine_deliver(p, &box->message[i]);
        }
        box->n = 0;
    }
    engine_flush_delayed(p);
}

/* ---- turns ---- */

/* What a rank does next: an item of its event list, or what has just become ready and is not on it,
 * there being nothing else to do. */
typedef struct next_step {
    uint32_t which; /* of the list; EVENT_TAKEN: `entry` */
    event_entry entry;
} next_step;

/* @return when, @p now at the earliest, the rank can do @p next */
static inline __attribute__((always_inline)) sim_time choose_next(const engine_turn *t,
                                                                  sim_time now, next_step *next)
{
    engine_partition *p = t->p;
    if (p->single != NULL) {
        engine_write_item(t, &next->entry.item, p->single);
        p->single = NULL;
        if (t->r->active == 0 && !event_list_has_spilled(t->r)) {
            next->which = EVENT_TAKEN;
            return event_list_start(&p->event_list, t->r, &next->entry.item);
        }
        event_list_add_entry(&p->event_list, t->r, t->rank, &next->entry);
    }
    next->which = 0;
    return event_list_next(&p->event_list, t->r, now, &next->which);
}

/* The rank's turn is over before @p next. */
static inline void keep_next(const engine_turn *t, const next_step *next)
{
    if (next->which == EVENT_TAKEN) {
        event_list_add_entry(&t->p->event_list, t->r, t->rank, &next->entry);
    }
}

/* The rank does @p next. @return when it can do the next thing, which is then @p next */
static inline __attribute__((always_inline)) sim_time take_step(const engine_turn *t,
                                                                next_step *next)
{
    engine_partition *p = t->p;
    uint32_t ref = EVENT_TAKEN;
    if (next->which != EVENT_TAKEN) {
        ref = event_list_take(&p->event_list, t->r, next->which, &next->entry);
    }
    if (event_list_is_event(&next->entry.item)) {
        engine_event_step(t, &next->entry, ref);
    } else {
        engine_cpu_step(t, &next->entry, ref);
    }
    return choose_next(t, p->now, next);
}

static sim_time engine_step(const engine_turn *t, uint32_t which)
{
    next_step next = {.which = which};
    const sim_time when = take_step(t, &next);
    keep_next(t, &next);
    return when;
}

/* May the rank go on where its turn would end? Yes, if what others do cannot come between. */
static inline bool may_go_on(const engine_turn *t, const next_step *next, sim_time when,
                             sim_time end)
{
    const engine_partition *p = t->p;
    if (!p->e->goes_on || when > SIM_TIME_MAX || event_list_has_spilled(t->r)) {
        return false;
    }
    const bool rendezvous = p->rendezvous[MESSAGE_NETWORK] || p->rendezvous[MESSAGE_NODE];
    const event_item *item = next->which == EVENT_TAKEN
                                 ? &next->entry.item
                                 : &event_items(&p->event_list, t->r)[next->which];
    return event_list_is_settled(&p->event_list, t->r, item, p->now, when, end, rendezvous);
}

enum { BEYOND = 16 }; /* steps after the end: each may leave a message that waits */

/* The rank does what it has before it until @p end, or until a release might come first. Having
 * done nothing yet, it may do @p beyond steps after that. */
static void take_turn(const engine_turn *t, sim_time end, uint32_t beyond)
{
    engine_partition *p = t->p;
    next_step next;
    sim_time when = choose_next(t, 0, &next);
    const sim_time alone = MIN(end, event_list_exposed_from(&p->event_list, t->r));
    for (;;) {
        if (when >= alone && (when >= end ? beyond == 0 || !may_go_on(t, &next, when, end)
                                          : sim_engine_waits(t, when))) {
            break;
        }
        p->now = when;
        if (when > SIM_TIME_MAX) {
            sim_engine_overflow(p, t->rank, when);
            return;
        }
        beyond = when < end ? BEYOND : beyond - 1;
        when = take_step(t, &next);
    }
    if (__builtin_expect(when < end, 0)) {
        sim_engine_list_rank(&p->exposed, t->rank);
        return;
    }
    keep_next(t, &next);
    calendar_queue_put(&p->queue, t->r, t->rank, when);
}

/*
 * What a turn touches first is brought near while others have theirs, in steps that each need what
 * the one before has brought: at many ranks most of the cost is waiting for memory. A calc is
 * mostly followed by much that becomes ready at once.
 */
static void prefetch_rank(const engine *e, uint32_t rank)
{
    prefetch_event_list(e, rank);
    if (e->program->methods->prefetch != NULL) {
        e->program->methods->prefetch(e->cursor, rank, SIM_ANY);
    }
    if (!e->keeps_quiet && e->noise != NULL && e->noise->prefetch != NULL) {
        e->noise->prefetch(e->noise, rank);
    }
}

static void prefetch_work(const engine_partition *p, uint32_t rank)
{
    enum { AFTER_CALC = 6 }; /* items that become ready at once */
    const engine *e = p->e;
    const engine_rank *r = engine_rank_of(e, rank);
    if (__builtin_expect(r->outside != 0, 0)) {
        if (!event_list_has_spilled(r)) {
            prefetch_pending(p, r);
        }
        return;
    }
    if (r->active == 0) {
        return;
    }
    const event_item *i = (const event_item *)(const void *)((const char *)r + e->layout.items_at) +
                          __builtin_ctz(r->active);
    prefetch_items(e, r, i->kind == EVENT_CALC ? AFTER_CALC : 1);
    if (event_list_has_op(engine_async(e), i) && e->program->methods->prefetch != NULL) {
        e->program->methods->prefetch(e->cursor, rank, i->index);
    }
}

/* The ranks in calendar_queue.line, @p n of @p window, take their turns. @p beyond of a turn */
static void run_line(engine_partition *p, uint32_t n, uint64_t window, uint32_t beyond)
{
    enum { RANK_AHEAD = 20, ITEMS_AHEAD = 14, WORK_AHEAD = 9 };
    const engine *e = p->e;
    const uint32_t *line = p->queue.line;
    const sim_time end = engine_window_end(p);
    for (uint32_t i = 0; i < MIN(n, RANK_AHEAD); i++) {
        prefetch_rank(e, line[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (n - i > RANK_AHEAD) {
            prefetch_rank(e, line[i + RANK_AHEAD]);
        }
        if (n - i > ITEMS_AHEAD) {
            prefetch_items(e, engine_rank_of(e, line[i + ITEMS_AHEAD]), 0);
        }
        if (n - i > WORK_AHEAD) {
            prefetch_work(p, line[i + WORK_AHEAD]);
        }
        const engine_turn t = {.p = p, .r = engine_rank_of(e, line[i]), .rank = line[i]};
        if (calendar_queue_is_due(t.r, window)) {
            p->now = end; /* beyond it, nothing is known of when receives were posted */
            take_turn(&t, end, beyond);
        }
    }
}

static void engine_run_window(engine_partition *p)
{
    for (uint32_t n = sim_calendar_queue_take(&p->queue); n > 0;
         n = sim_calendar_queue_take(&p->queue)) {
        run_line(p, n, p->queue.now, 0);
    }
    engine_flush_delayed(p);
    p->ahead = p->queue.now;
    p->left_ahead = 0;
}

/* Of the ranks looked at lately, did most go on? Else looking takes longer than waiting. Now and
 * then it is tried again. */
static bool is_worth_looking(engine_partition *p)
{
    enum { PART = 64, ENOUGH = 5, OF = 8 };
    const bool is = OF * p->moved_ahead >= ENOUGH * p->looked_ahead;
    p->looked_ahead -= is ? 0 : p->looked_ahead / PART;
    return is;
}

/* Of @p n ranks that were looked at, @p moved have gone on. What was long ago counts less. */
static void note_ahead(engine_partition *p, uint32_t n, uint32_t moved)
{
    enum { LATELY = 1 << 14 };
    p->looked_ahead += n;
    p->moved_ahead += moved;
    if (p->looked_ahead > LATELY) {
        p->looked_ahead /= 2;
        p->moved_ahead /= 2;
    }
}

static bool engine_run_ahead(engine_partition *p)
{
    enum { WINDOWS = 32 };
    if (!is_worth_looking(p)) {
        return false;
    }
    while (p->left_ahead == 0) {
        if (p->ahead + 1 == p->queue.end || p->ahead == p->queue.now + WINDOWS) {
            return false;
        }
        p->left_ahead = sim_calendar_queue_count(&p->queue, ++p->ahead);
    }
    const uint32_t n = sim_calendar_queue_take_ahead(&p->queue, p->ahead);
    const uint32_t others = sim_calendar_queue_count(&p->queue, p->ahead);
    run_line(p, n, p->ahead, BEYOND);
    engine_flush_delayed(p);
    p->left_ahead -= MIN(n, p->left_ahead);
    const uint32_t back = sim_calendar_queue_count(&p->queue, p->ahead) - others;
    note_ahead(p, n, n - MIN(n, back));
    return true;
}
