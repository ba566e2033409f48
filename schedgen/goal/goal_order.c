/* schedgen/goal/goal_order.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_goal_text_write. */
#include "goal/goal_order.h"

#include <string.h>

typedef size_t key_of(const sched_edge *edge);

static size_t key_earlier(const sched_edge *edge)
{
    return 2 * (size_t)edge->earlier + (edge->start ? 1 : 0);
}

static size_t key_last(const sched_edge *edge)
{
    return MAX(edge->earlier, edge->later);
}

static void sort(goal_order *o, const sched_edge *edges, size_t n, size_t num_keys, key_of *key)
{
    if (num_keys + 2 > o->max_begin) {
        o->max_begin = MAX(num_keys + 2, 2 * o->max_begin);
        o->begin = g_renew(size_t, o->begin, o->max_begin);
    }
    if (n > o->max_edges) {
        o->max_edges = MAX(n, 2 * o->max_edges);
        o->edge = g_renew(sched_edge, o->edge, o->max_edges);
    }
    /* begin[key + 2] counts, then begin[key + 1] is where the next one goes: at the end, the end */
    memset(o->begin, 0, (num_keys + 2) * sizeof *o->begin);
    for (size_t e = 0; e < n; e++) {
        o->begin[key(&edges[e]) + 2]++;
    }
    for (size_t k = 2; k < num_keys + 2; k++) {
        o->begin[k] += o->begin[k - 1];
    }
    for (size_t e = 0; e < n; e++) {
        o->edge[o->begin[key(&edges[e]) + 1]++] = edges[e];
    }
}

void sched_goal_order_clear(goal_order *o)
{
    g_free(o->begin);
    g_free(o->edge);
}

void sched_goal_order_by_earlier(goal_order *o, const sched_rank_ops *rank)
{
    sort(o, rank->edges, rank->num_edges, 2 * (size_t)rank->num_ops, key_earlier);
}

void sched_goal_order_by_last(goal_order *o, const goal_order *by_earlier, uint32_t num_ops)
{
    sort(o, by_earlier->edge, by_earlier->begin[2 * (size_t)num_ops], num_ops, key_last);
}
