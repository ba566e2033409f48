/* sim/graph/graph_live.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_graph, test_graph_forms. */
#include "graph/graph_live_private.h"

#include <glib.h>
#include <string.h>

static uint32_t num_slots(const cursor_rank *r)
{
    return UINT32_C(1) << r->live;
}

/* Neighbours are mostly alive together: this spreads them over a table of any size. */
static uint32_t slot_of(const cursor_rank *r, uint32_t op)
{
    return (uint32_t)((uint64_t)(op * UINT32_C(0x9E3779B1)) * num_slots(r) >> 32);
}

/* The place of @p op, or the free one where it goes. */
static graph_live *find_place(const cursor_rank *r, uint32_t op)
{
    uint32_t i = slot_of(r, op);
    while (r->more[i].op != op && r->more[i].op != SIM_ANY) {
        i = (i + 1) & (num_slots(r) - 1);
    }
    return &r->more[i];
}

graph_live *sim_graph_live_find_hashed(const cursor_rank *r, uint32_t op)
{
    graph_live *live = find_place(r, op);
    return live->op == op ? live : NULL;
}

void sim_graph_live_prefetch_hashed(const cursor_rank *r, uint32_t op)
{
    __builtin_prefetch(&r->more[slot_of(r, op)], 1);
}

graph_live *sim_graph_live_new_hashed(cursor_rank *r, uint32_t op)
{
    if (r->num_live == num_slots(r) / 4 * 3) {
        sim_graph_live_grow(r);
    }
    r->num_live++;
    return find_place(r, op);
}

/* Entries that lie behind it only because it was taken move up. */
void sim_graph_live_remove_hashed(cursor_rank *r, graph_live *gone)
{
    const uint32_t mask = num_slots(r) - 1;
    graph_live *live = r->more;
    uint32_t hole = (uint32_t)(gone - live);
    for (uint32_t i = (hole + 1) & mask; live[i].op != SIM_ANY; i = (i + 1) & mask) {
        const uint32_t home = slot_of(r, live[i].op);
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            live[hole] = live[i];
            hole = i;
        }
    }
    live[hole].op = SIM_ANY;
    r->num_live--;
}

/* From a list, all of whose places are taken, or a table of half the size. */
static void hash(cursor_rank *r)
{
    const cursor_rank old = *r;
    const bool was_hashed = old.live >= LIVE_HASHED;
    r->live = (uint8_t)(was_hashed ? old.live + 1 : LIVE_HASHED);
    r->more = g_new0(graph_live, num_slots(r));
    for (uint32_t i = 0; i < num_slots(r); i++) {
        r->more[i].op = SIM_ANY;
    }
    if (!was_hashed) {
        *find_place(r, old.own.op) = old.own;
        r->own.op = SIM_ANY;
    }
    for (uint32_t i = 0; i < (was_hashed ? num_slots(&old) : old.num_live - 1); i++) {
        if (old.more[i].op != SIM_ANY) {
            *find_place(r, old.more[i].op) = old.more[i];
        }
    }
    g_free(old.more);
}

void sim_graph_live_grow(cursor_rank *r)
{
    if (r->live >= LIVE_MORE) {
        hash(r);
        return;
    }
    r->live++;
    r->more = g_renew(graph_live, r->more, r->live == LIVE_FEW ? LIVE_MOST_FEW : LIVE_MOST_MORE);
}
