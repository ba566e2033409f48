/* sim/engine/run_order.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_random, test_vectors. */
/*
 * Instant rendezvous: a release reaches its sender at the instant at which the message has met its
 * receive, on another rank. It is the one effect that takes no time. Within a window it can reach
 * only ranks that hold a send whose message arrives before the window ends, since a message sent in
 * the window arrives after it. Such a rank is *exposed*, from the arrival of that message on.
 *
 * So a window has two halves. In the first, every rank does its pending work on its own thread
 * (run_loop.c), up to the instant from which it is exposed; the releases that it causes are kept.
 * In the second, one thread continues with the exposed ranks: at an instant the lowest first, one
 * step at a time, and a kept release takes effect when it would be the turn of the rank that caused
 * it. The result is the order of docs/model.md, section 4, for all ranks: what the others do
 * meanwhile does not depend on an exposed rank, and reaches one only by those releases.
 */
#include "engine/run_private.h"

#include <glib.h>

#include <string.h>

void sim_engine_expose(engine_exposed *list, uint32_t rank, sim_time when)
{
    if (list->n == list->cap) {
        list->cap = MAX(2 * list->cap, 64);
        list->turn = g_renew(rank_queue_entry, list->turn, list->cap);
    }
    list->turn[list->n++] = (rank_queue_entry){.key = when, .rank = rank};
}

static void keep(engine_releases *list, const engine_release *release)
{
    if (list->n == list->cap) {
        list->cap = MAX(2 * list->cap, 64);
        list->release = g_renew(engine_release, list->release, list->cap);
    }
    list->release[list->n++] = *release;
}

static void deliver(engine *e, const engine_release *r)
{
    const engine_message m = {.item = {.time = r->at, .index = r->send, .kind = EVENT_RELEASE},
                              .dest = r->dest};
    e->turns->deliver(engine_partition_of(e, r->dest), &m);
}

void sim_engine_release(const engine_turn *t, uint32_t source, uint32_t send)
{
    engine_partition *p = t->p;
    const engine_release release = {.at = p->now, .from = t->rank, .dest = source, .send = send};
    if (p->now < p->e->ordered) {
        deliver(p->e, &release);
    } else {
        keep(&p->kept, &release);
    }
}

void sim_engine_due_in_order(engine_partition *p, engine_rank *r, uint32_t rank, sim_time when)
{
    engine *e = p->e;
    if (e->width > 0 && r->place != CALENDAR_RUNNING) { /* exposed, but it had nothing to do */
        calendar_queue_claim(&p->queue, r, rank);
        sim_engine_expose(&e->reached, rank, when);
    }
    if (when < sim_rank_queue_key(&e->heap, rank)) {
        sim_rank_queue_set(&e->heap, rank, when);
    }
}

bool sim_engine_is_order_needed(const engine *e)
{
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        if (e->partition[i]->exposed.n > 0 || e->partition[i]->kept.n > 0) {
            return true;
        }
    }
    return false;
}

/* ---- the kept releases, by instant and by the rank that caused them ---- */

static inline bool goes_before(sim_time at, uint32_t rank, sim_time other_at, uint32_t other_rank)
{
    return at < other_at || (at == other_at && rank < other_rank);
}

/* Where the run of releases in order that begins with @p from ends. */
static size_t end_of_run(const engine_release *r, size_t from, size_t n)
{
    size_t k = from + 1;
    while (k < n && !goes_before(r[k].at, r[k].from, r[k - 1].at, r[k - 1].from)) {
        k++;
    }
    return MIN(k, n);
}

/* Two neighbouring runs become one; of equals those of the first go first. */
static void merge(const engine_release *r, size_t middle, size_t n, engine_release *out)
{
    size_t i = 0;
    size_t k = middle;
    while (i < middle && k < n) {
        *out++ = goes_before(r[k].at, r[k].from, r[i].at, r[i].from) ? r[k++] : r[i++];
    }
    memcpy(out, r + i, (middle - i) * sizeof *r);
    memcpy(out + (middle - i), r + k, (n - k) * sizeof *r);
}

/* Merges runs until there is one. Each rank's releases are in order as they are. */
static void sort(engine_releases *list, engine_releases *spare)
{
    bool sorted = false;
    if (spare->cap < list->n) {
        spare->cap = list->cap;
        spare->release = g_renew(engine_release, spare->release, spare->cap);
    }
    while (!sorted) {
        size_t begin = 0;
        sorted = end_of_run(list->release, 0, list->n) == list->n;
        while (!sorted && begin < list->n) {
            const size_t middle = end_of_run(list->release, begin, list->n);
            const size_t end =
                middle < list->n ? end_of_run(list->release, middle, list->n) : middle;
            merge(list->release + begin, middle - begin, end - begin, spare->release + begin);
            begin = end;
        }
        if (!sorted) {
            const engine_releases other = *list;
            list->release = spare->release;
            list->cap = spare->cap;
            spare->release = other.release;
            spare->cap = other.cap;
        }
    }
}

/* ---- the second half of a window ---- */

static void gather(engine *e)
{
    if (e->heap.block == NULL) {
        sim_rank_queue_init(&e->heap, e->program->num_ranks);
    }
    e->kept.n = 0;
    e->reached.n = 0;
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        const engine_partition *p = e->partition[i];
        for (size_t k = 0; k < p->exposed.n; k++) {
            sim_rank_queue_set(&e->heap, p->exposed.turn[k].rank, p->exposed.turn[k].key);
        }
        for (size_t k = 0; k < p->kept.n; k++) {
            keep(&e->kept, &p->kept.release[k]);
        }
    }
    sort(&e->kept, &e->spare);
}

/* The rank that goes first goes on as long as it does, but not beyond @p next. */
static void run_first(engine *e, sim_time end, const engine_release *next)
{
    sim_time now = sim_rank_queue_top(&e->heap).key;
    const uint32_t rank = sim_rank_queue_take(&e->heap);
    uint32_t which = 0;
    const engine_turn t = {
        .p = engine_partition_of(e, rank), .r = engine_rank_of(e, rank), .rank = rank};
    bool first = true;
    (void)event_list_next(&t.p->event_list, t.r, now, &which);
    while (first) {
        t.p->now = now;
        if (now > SIM_TIME_MAX) {
            sim_engine_overflow(t.p, rank, now);
            now = RANK_QUEUE_NEVER;
            break;
        }
        now = e->turns->step(&t, &which);
        const rank_queue_entry top = sim_rank_queue_top(&e->heap);
        first = now < end && goes_before(now, rank, top.key, top.rank) &&
                (next == NULL || goes_before(now, rank, next->at, next->from));
    }
    sim_rank_queue_set(&e->heap, rank, now < end ? now : RANK_QUEUE_NEVER);
}

/* The exposed ranks are back in the queues of their partitions. */
static void settle(engine *e, const engine_exposed *list)
{
    for (size_t k = 0; k < list->n; k++) {
        const uint32_t rank = list->turn[k].rank;
        engine_partition *p = engine_partition_of(e, rank);
        engine_rank *r = engine_rank_of(e, rank);
        uint32_t which = 0;
        calendar_queue_put(&p->queue, r, rank, event_list_next(&p->event_list, r, 0, &which));
    }
}

void sim_engine_run_in_order(engine *e)
{
    const sim_time end = engine_window_end(e->partition[0]);
    gather(e);
    e->ordered = end;
    size_t k = 0;
    for (;;) {
        const rank_queue_entry top = sim_rank_queue_top(&e->heap);
        const engine_release *next = k < e->kept.n ? &e->kept.release[k] : NULL;
        if (next != NULL && goes_before(next->at, next->from, top.key, top.rank)) {
            deliver(e, next);
            k++;
        } else if (top.key != RANK_QUEUE_NEVER) {
            run_first(e, end, next);
        } else {
            break;
        }
    }
    e->ordered = 0;
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        e->turns->flush_delayed(e->partition[i]);
        settle(e, &e->partition[i]->exposed);
    }
    settle(e, &e->reached);
}
