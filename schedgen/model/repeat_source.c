/* schedgen/model/repeat_source.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pass of a rank ends when all its operations have finished. That is when those have that no
 * other requires: every other operation has one behind it that finishes no sooner. So only from
 * these there are edges to the next pass, to all of its operations that wait for nothing else.
 */
#include "sched/rank_source.h"

#include <assert.h>

/* The operations of a rank that a pass begins with, or that it ends with. */
typedef struct border {
    uint32_t *op;
    uint32_t n;
} border;

typedef struct borders {
    border begin;
    border end;
} borders;

static border border_of(const bool *inside, uint32_t num_ops)
{
    border b = {.op = g_new(uint32_t, (gsize)num_ops + 1)};
    for (uint32_t i = 0; i < num_ops; i++) {
        if (!inside[i]) {
            b.op[b.n++] = i;
        }
    }
    return b;
}

static borders borders_of(const sched_rank_ops *rank)
{
    g_autofree bool *waits = g_new0(bool, (gsize)rank->num_ops + 1);
    g_autofree bool *required = g_new0(bool, (gsize)rank->num_ops + 1);
    for (size_t e = 0; e < rank->num_edges; e++) {
        waits[rank->edges[e].later] = true;
        required[rank->edges[e].earlier] |= !rank->edges[e].start;
    }
    return (borders){border_of(waits, rank->num_ops), border_of(required, rank->num_ops)};
}

static void borders_clear(borders *b)
{
    g_free(b->begin.op);
    g_free(b->end.op);
}

static void *room_for(void *at, size_t *max, size_t need, size_t size)
{
    if (need > *max) {
        *max = MAX(need, 2 * *max);
        at = g_realloc_n(at, *max, size);
    }
    return at;
}

static void put_ops(sched_repeat_source *s, const sched_rank_ops *own, uint32_t pass,
                    uint32_t shift)
{
    sim_op *to = s->ops + (size_t)pass * own->num_ops;
    for (uint32_t i = 0; i < own->num_ops; i++) {
        to[i] = own->ops[i];
        const bool moves = to[i].type != SIM_OP_CALC && to[i].peer != SIM_ANY;
        to[i].peer += moves ? shift : 0;
    }
}

/* Those that lead to a pass, and its own. @return behind the last */
static sched_edge *put_edges(sched_edge *to, const sched_rank_ops *own, const borders *b,
                             uint32_t pass)
{
    const uint32_t first = pass * own->num_ops;
    for (uint32_t e = 0; pass > 0 && e < b->end.n; e++) {
        for (uint32_t i = 0; i < b->begin.n; i++) {
            *to++ =
                (sched_edge){first + b->begin.op[i], first - own->num_ops + b->end.op[e], false};
        }
    }
    for (size_t e = 0; e < own->num_edges; e++) {
        const sched_edge *edge = &own->edges[e];
        *to++ = (sched_edge){first + edge->later, first + edge->earlier, edge->start};
    }
    return to;
}

static bool get(sched_rank_source *source, uint32_t rank, sched_rank_ops *out, GError **error)
{
    sched_repeat_source *s = (sched_repeat_source *)source;
    const uint32_t num_own = s->own.source.num_ranks;
    sched_rank_ops own;
    if (!s->own.source.get(&s->own.source, rank % num_own, &own, error)) {
        return false;
    }
    const uint32_t shift = rank - rank % num_own;
    if (s->passes == 1 && shift == 0) { /* as it is */
        *out = own;
        return true;
    }
    borders b = borders_of(&own);
    const size_t joins = (size_t)b.begin.n * b.end.n * (s->passes - 1);
    const size_t num_edges = own.num_edges * s->passes + joins;
    s->ops = room_for(s->ops, &s->max_ops, (size_t)own.num_ops * s->passes, sizeof(sim_op));
    s->edges = room_for(s->edges, &s->max_edges, num_edges, sizeof(sched_edge));
    sched_edge *end = s->edges;
    for (uint32_t pass = 0; pass < s->passes; pass++) {
        put_ops(s, &own, pass, shift);
        end = put_edges(end, &own, &b, pass);
    }
    borders_clear(&b);
    *out = (sched_rank_ops){.ops = s->ops,
                            .num_ops = own.num_ops * s->passes,
                            .edges = s->edges,
                            .num_edges = num_edges};
    return true;
}

void sched_repeat_source_init(sched_repeat_source *s, const sim_graph *graph, uint32_t copies,
                              uint32_t passes)
{
    assert(copies > 0 && passes > 0);
    *s = (sched_repeat_source){.passes = passes};
    sched_graph_source_init(&s->own, graph);
    s->source = (sched_rank_source){.num_ranks = s->own.source.num_ranks * copies, .get = get};
}

void sched_repeat_source_clear(sched_repeat_source *s)
{
    sched_graph_source_clear(&s->own);
    g_free(s->ops);
    g_free(s->edges);
}

double sched_repeat_count_joins(const sim_graph *graph, uint32_t passes, double *most)
{
    sched_graph_source source;
    sched_graph_source_init(&source, graph);
    double all = 0;
    *most = 0;
    for (uint32_t rank = 0; rank < source.source.num_ranks; rank++) {
        sched_rank_ops own;
        (void)source.source.get(&source.source, rank, &own, NULL); /* does not fail */
        borders b = borders_of(&own);
        const double joins = (double)b.begin.n * b.end.n * (passes - 1);
        borders_clear(&b);
        all += joins;
        *most = MAX(*most, joins);
    }
    sched_graph_source_clear(&source);
    return all;
}
