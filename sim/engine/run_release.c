/* sim/engine/run_release.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_random, test_run_order. */
/*
 * Instant rendezvous: a release reaches its sender at the instant at which the message has met its
 * receive, on another rank. It is the one effect that takes no time, and so the one by which ranks
 * meet at an instant. What they do there has an order (docs/model.md, section 4.3): the lowest rank
 * that has anything to do goes first, one step at a time. So what a release of rank d causes on
 * lower ranks follows right after the step of d that caused it, before the next step of d: it comes
 * in the *train* of that release. What it causes on a higher rank waits until the ranks below that
 * are done, like all else there. So a step has a place that can be told without knowing all others:
 * its train (if it comes in one, whose place is found likewise), its rank, and its number on that
 * rank. Trains within trains are of ever lower ranks.
 */
#include "engine/run_private.h"

#include <glib.h>

static engine_release *new_release(engine_releases *list)
{
    if (list->n == list->num_chunks * ENGINE_RELEASES) {
        list->chunk = g_renew(engine_release *, list->chunk, list->num_chunks + 1);
        list->chunk[list->num_chunks++] = g_new(engine_release, ENGINE_RELEASES);
    }
    return engine_release_at(list, list->n++);
}

void sim_engine_clear_releases(engine_releases *list)
{
    for (size_t i = 0; i < list->num_chunks; i++) {
        g_free(list->chunk[i]);
    }
    g_free(list->chunk);
}

static uint32_t depth_below(const engine_release *above)
{
    return above != NULL ? above->depth + 1 : 0;
}

void sim_engine_release(const engine_turn *t, uint32_t source, uint32_t send)
{
    engine_partition *p = t->p;
    if (p->e->width == 0) {
        const engine_message m = {.item = {.time = p->now, .index = send, .kind = EVENT_RELEASE},
                                  .dest = source};
        p->e->turns->deliver(engine_partition_of(p->e, source), &m);
        return;
    }
    p->num_kept++;
    const uint32_t to = rank_partition_of(&p->ranks, source);
    *new_release(&p->kept[to]) = (engine_release){.at = p->now,
                                                  .from = t->rank,
                                                  .dest = source,
                                                  .send = send,
                                                  .depth = depth_below(p->above),
                                                  .number = p->num_releases++,
                                                  .above = p->above};
}

bool sim_engine_waits(const engine_turn *t, sim_time when)
{
    enum { MOST = 16 };
    const engine *e = t->p->e;
    uint32_t held[MOST];
    const uint32_t n = sim_event_list_held(&t->p->event_list, t->r, when, held, MOST);
    if (n == 0) {
        return false;
    }
    /* Which of two instants that are equal is noted as the cause depends on who comes first. */
    if (n > MOST || e->keeps_causes || e->program->methods->would_release == NULL) {
        return true;
    }
    return e->program->methods->would_release(e->cursor, t->rank, held, n);
}

/* One place of the way from the first train to a step. */
typedef struct stop {
    uint32_t rank;
    uint64_t number;
} stop;

static stop stop_of(const engine_release *r)
{
    return (stop){r->from, r->number};
}

bool sim_engine_goes_before(const engine_position *a, const engine_position *b)
{
    if (a->at != b->at) {
        return a->at < b->at;
    }
    const engine_release *x = a->above;
    const engine_release *y = b->above;
    stop in_a = {a->rank, a->number};
    stop in_b = {b->rank, b->number};
    while (depth_below(x) > depth_below(b->above)) {
        in_a = stop_of(x);
        x = x->above;
    }
    while (depth_below(y) > depth_below(a->above)) {
        in_b = stop_of(y);
        y = y->above;
    }
    while (x != y) { /* up to the train they have in common */
        in_a = stop_of(x);
        in_b = stop_of(y);
        x = x->above;
        y = y->above;
    }
    if (in_a.rank != in_b.rank) {
        return in_a.rank < in_b.rank;
    }
    if (in_a.number != in_b.number) {
        return in_a.number < in_b.number;
    }
    return depth_below(a->above) < depth_below(b->above); /* what follows a step comes after it */
}
