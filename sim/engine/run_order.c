/* sim/engine/run_order.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_random, test_run_order, test_vectors. */
/*
 * Instant rendezvous: a release takes no time (run_release.c). Within a window it can reach only
 * ranks that hold a send whose message arrives before the window ends, since a message sent in the
 * window arrives after it. And it changes what such a rank does only if it makes something ready:
 * if all that an operation still waits for are sends that may be released. Otherwise it makes no
 * difference whether it takes effect at its instant or later.
 *
 * So a window has two halves. In the first, every rank does its pending work on its own thread
 * (run_loop.c), up to the step before which a release might make something ready; releases are
 * kept. In the second they are handed to their ranks, which then know when they come, go on, and
 * cause the next, until there are none. Then some ranks may still wait for what has not come. Of
 * these the one whose next step goes first in the order of docs/model.md, section 4, takes it: all
 * that could come before has come. And so on. The result is that of one order for all ranks,
 * though only those that wait at the same time for each other are put in order.
 */
#include "engine/run_private.h"

#include <glib.h>

#include <string.h>

void sim_engine_list_rank(engine_rank_list *list, uint32_t rank)
{
    if (list->n == list->cap) {
        list->cap = MAX(2 * list->cap, 64);
        list->rank = g_renew(uint32_t, list->rank, list->cap);
    }
    list->rank[list->n++] = rank;
}

bool sim_engine_is_order_needed(const engine *e)
{
    for (uint32_t i = 0; e->instant && i < e->num_partitions; i++) {
        if (e->partition[i]->exposed.n > 0 || e->partition[i]->num_kept > 0) {
            return true;
        }
    }
    return false;
}

size_t sim_engine_num_kept(const engine *e)
{
    size_t n = 0;
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        n += e->partition[i]->num_kept;
    }
    return n;
}

/* ---- ranks that wait, the first on top ---- */

static void push(engine_partition *p, const engine_waiter *waiter)
{
    if (p->num_waiters == p->cap_waiters) {
        p->cap_waiters = MAX(2 * p->cap_waiters, 64);
        p->waiter = g_renew(engine_waiter, p->waiter, p->cap_waiters);
    }
    size_t at = p->num_waiters++;
    while (at > 0 && sim_engine_goes_before(&waiter->position, &p->waiter[(at - 1) / 2].position)) {
        p->waiter[at] = p->waiter[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    p->waiter[at] = *waiter;
}

static void pop(engine_partition *p)
{
    const engine_waiter last = p->waiter[--p->num_waiters];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= p->num_waiters) {
            break;
        }
        if (child + 1 < p->num_waiters &&
            sim_engine_goes_before(&p->waiter[child + 1].position, &p->waiter[child].position)) {
            child++;
        }
        if (!sim_engine_goes_before(&p->waiter[child].position, &last.position)) {
            break;
        }
        p->waiter[at] = p->waiter[child];
        at = child;
    }
    p->waiter[at] = last;
}

/* NULL: none waits. */
static const engine_waiter *first_waiter(engine_partition *p)
{
    while (p->num_waiters > 0 && p->waiter[0].stamp != p->e->order[p->waiter[0].rank].stamp) {
        pop(p); /* it has gone on */
    }
    return p->num_waiters > 0 ? &p->waiter[0] : NULL;
}

/* ---- a rank ---- */

static engine_position position_of(const engine_release *r)
{
    return (engine_position){r->at, r->above, r->number, r->from};
}

/* What the rank does at @p when, of its own. */
static engine_position own_position(const engine_order *o, uint32_t rank, sim_time when)
{
    return (engine_position){when, o->instant == when ? o->above : NULL, UINT64_MAX, rank};
}

/* What the rank does from now on, at the instant of a release, comes in its train. */
static void follow(engine_order *o, uint32_t rank, const engine_release *r)
{
    const engine_release *above = r;
    while (above != NULL && above->from <= rank) {
        above = above->above;
    }
    if (r->at < o->instant) {
        return;
    }
    if (r->at == o->instant && o->above != NULL) { /* or in that of another, which comes later */
        const engine_position before = position_of(o->above);
        const engine_position now = position_of(r);
        if (!sim_engine_goes_before(&before, &now)) {
            return;
        }
    }
    o->above = above;
    o->instant = r->at;
}

/* A release of the rank takes effect. */
static void take_release(const engine_turn *t, engine_order *o)
{
    const engine_release *r = o->known;
    o->known = r->next;
    follow(o, t->rank, r);
    t->p->now = r->at;
    t->p->e->turns->release(t, r->send);
}

/* The rank goes on until it waits or the window ends. @p first: it has waited, and does not now */
static void go_on(const engine_turn *t, sim_time end, bool first)
{
    engine_partition *p = t->p;
    engine *e = p->e;
    engine_order *o = &e->order[t->rank];
    o->stamp++;
    for (;;) {
        uint32_t which = 0;
        const sim_time when = event_list_next(&p->event_list, t->r, 0, &which);
        engine_position next = own_position(o, t->rank, when);
        bool is_release = false;
        if (o->known != NULL) {
            const engine_position release = position_of(o->known);
            is_release = sim_engine_goes_before(&release, &next);
            next = is_release ? release : next;
        }
        if (next.at >= end) {
            return;
        }
        if (!first && sim_engine_waits(t, next.at)) {
            push(p, &(engine_waiter){next, t->rank, o->stamp});
            return;
        }
        first = false;
        if (is_release) {
            take_release(t, o);
            continue;
        }
        p->now = when;
        if (when > SIM_TIME_MAX) {
            sim_engine_overflow(p, t->rank, when);
            return;
        }
        p->above = next.above;
        (void)e->turns->step(t, which);
        p->above = NULL;
    }
}

static engine_turn turn_of(engine_partition *p, uint32_t rank)
{
    return (engine_turn){.p = p, .r = engine_rank_of(p->e, rank), .rank = rank};
}

/* ---- releases on their way to their ranks ---- */

/* It is known now; its rank has a turn in this half. */
static void take_in(engine_partition *p, engine_release *r)
{
    engine_rank *rank = engine_rank_of(p->e, r->dest);
    engine_order *o = &p->e->order[r->dest];
    if (rank->place != CALENDAR_RUNNING) {
        calendar_queue_claim(&p->queue, rank, r->dest);
        sim_engine_list_rank(&p->exposed, r->dest);
    }
    if (!o->is_listed) {
        o->is_listed = true;
        sim_engine_list_rank(&p->reached, r->dest);
    }
    sim_event_list_note_known(&p->event_list, rank, r->send);
    const engine_position position = position_of(r);
    engine_release **at = &o->known;
    while (*at != NULL) {
        const engine_position other = position_of(*at);
        if (sim_engine_goes_before(&position, &other)) {
            break;
        }
        at = &(*at)->next;
    }
    r->next = *at;
    *at = r;
}

static void prefetch(const engine *e, uint32_t rank)
{
    enum { LINES = 6 };
    const char *r = (const char *)engine_rank_of(e, rank);
    for (size_t k = 0; k < LINES; k++) {
        __builtin_prefetch(r + k * 64, 1);
    }
    __builtin_prefetch(&e->order[rank], 1);
    if (e->program->methods->prefetch != NULL) {
        e->program->methods->prefetch(e->cursor, rank, SIM_ANY);
    }
}

void sim_engine_take_releases(engine_partition *p)
{
    enum { AHEAD = 8 };
    const engine *e = p->e;
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        const engine_releases *kept = &e->partition[i]->kept[p->ranks.partition];
        for (size_t k = p->taken[i]; k < kept->n; k++) {
            if (k + AHEAD < kept->n) {
                prefetch(e, engine_release_at(kept, k + AHEAD)->dest);
            }
            take_in(p, engine_release_at(kept, k));
        }
        p->taken[i] = kept->n;
    }
}

void sim_engine_go_on(engine_partition *p)
{
    enum { AHEAD = 8 };
    const engine *e = p->e;
    const sim_time end = engine_window_end(p);
    for (size_t k = 0; k < p->reached.n; k++) {
        if (k + AHEAD < p->reached.n) {
            prefetch(e, p->reached.rank[k + AHEAD]);
        }
        const engine_turn t = turn_of(p, p->reached.rank[k]);
        e->order[t.rank].is_listed = false;
        go_on(&t, end, false);
    }
    p->reached.n = 0;
}

/* ---- the second half of a window ---- */

void sim_engine_begin_order(engine_partition *p)
{
    for (size_t k = 0; k < p->exposed.n; k++) {
        const engine_turn t = turn_of(p, p->exposed.rank[k]);
        uint32_t which = 0;
        const sim_time when = event_list_next(&p->event_list, t.r, 0, &which);
        engine_order *o = &p->e->order[t.rank];
        const engine_waiter waiter = {own_position(o, t.rank, when), t.rank, ++o->stamp};
        push(p, &waiter);
    }
}

void sim_engine_end_order(engine_partition *p)
{
    p->e->turns->flush_delayed(p);
    for (size_t k = 0; k < p->exposed.n; k++) {
        const engine_turn t = turn_of(p, p->exposed.rank[k]);
        uint32_t which = 0;
        const sim_time when = event_list_next(&p->event_list, t.r, 0, &which);
        calendar_queue_put(&p->queue, t.r, t.rank, when);
    }
    p->exposed.n = 0;
    p->num_kept = 0;
    p->num_waiters = 0;
    for (uint32_t i = 0; i < p->e->num_partitions; i++) {
        p->kept[i].n = 0;
        p->taken[i] = 0;
    }
}

/* The first of the ranks that wait goes on. @return false: none waits */
static bool let_first_go(engine *e, sim_time end)
{
    const engine_waiter *first = NULL;
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        const engine_waiter *own = first_waiter(e->partition[i]);
        if (own != NULL &&
            (first == NULL || sim_engine_goes_before(&own->position, &first->position))) {
            first = own;
        }
    }
    if (first == NULL) {
        return false;
    }
    const uint32_t rank = first->rank;
    const engine_turn t = turn_of(engine_partition_of(e, rank), rank);
    pop(t.p);
    go_on(&t, end, true);
    return true;
}

void sim_engine_run_in_order(engine *e)
{
    const sim_time end = engine_window_end(e->partition[0]);
    size_t done = 0; /* releases that have been handed out by all */
    do {
        for (size_t n = sim_engine_num_kept(e); n > done; n = sim_engine_num_kept(e)) {
            done = n;
            for (uint32_t i = 0; i < e->num_partitions; i++) {
                sim_engine_take_releases(e->partition[i]);
            }
            for (uint32_t i = 0; i < e->num_partitions; i++) {
                sim_engine_go_on(e->partition[i]);
            }
        }
    } while (let_first_go(e, end));
}
