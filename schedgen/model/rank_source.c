/* schedgen/model/rank_source.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sched/rank_source.h"

static void put_edges(sched_graph_source *s, sched_rank_ops *out, uint32_t earlier,
                      const uint32_t *step, uint32_t n, bool start)
{
    const size_t need = out->num_edges + n;
    if (need > s->max_edges) {
        s->max_edges = MAX(need, 2 * s->max_edges);
        s->edges = g_renew(sched_edge, s->edges, s->max_edges);
    }
    for (uint32_t k = 0; k < n; k++) {
        s->edges[out->num_edges++] = (sched_edge){earlier + step[k], earlier, start};
    }
}

static bool get(sched_rank_source *source, uint32_t rank, sched_rank_ops *out, GError **error)
{
    (void)error;
    sched_graph_source *s = (sched_graph_source *)source;
    *out = (sched_rank_ops){.num_ops = sim_graph_num_ops(s->graph, rank)};
    if (out->num_ops > s->max_ops) {
        s->max_ops = MAX(out->num_ops, 2 * s->max_ops);
        s->ops = g_renew(sim_op, s->ops, s->max_ops);
    }
    for (uint32_t i = 0; i < out->num_ops; i++) {
        s->ops[i] = sim_graph_op(s->graph, rank, i);
        uint32_t n;
        const uint32_t *step = sim_graph_finish_steps(s->graph, rank, i, &n);
        put_edges(s, out, i, step, n, false);
        step = sim_graph_start_steps(s->graph, rank, i, &n);
        put_edges(s, out, i, step, n, true);
    }
    out->ops = s->ops;
    out->edges = s->edges;
    return true;
}

void sched_graph_source_init(sched_graph_source *s, const sim_graph *graph)
{
    *s = (sched_graph_source){.source = {.num_ranks = sim_graph_num_ranks(graph), .get = get},
                              .graph = graph};
}

void sched_graph_source_clear(sched_graph_source *s)
{
    g_free(s->ops);
    g_free(s->edges);
}
