/* bench/heap_ops.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "heap_ops.h"

#include <glib.h>

static void load_rank(heap_ops *all, const sim_graph *graph, uint32_t rank, size_t *num_edges)
{
    const uint32_t first = (uint32_t)all->num;
    for (uint32_t i = 0; i < sim_graph_num_ops(graph, rank); i++) {
        heap_op *o = &all->op[all->num++];
        o->op = sim_graph_op(graph, rank, i);
        all->num_cpus = MAX(all->num_cpus, o->op.cpu + 1U);
        all->num_nics = MAX(all->num_nics, o->op.nic + 1U);
        o->rank = rank;
        o->index = i;
        o->edge = (uint32_t)*num_edges;
        for (int at_start = 0; at_start < 2; at_start++) {
            if (at_start) {
                o->middle = (uint32_t)*num_edges;
            }
            uint32_t n = 0;
            const uint32_t *step =
                (at_start ? sim_graph_start_steps : sim_graph_finish_steps)(graph, rank, i, &n);
            for (uint32_t k = 0; k < n; k++) {
                all->edge[(*num_edges)++] = first + (i + step[k]);
                all->op[first + (i + step[k])].waits++;
            }
        }
    }
}

heap_ops heap_ops_load(const sim_graph *graph)
{
    heap_ops all = {.op = g_new0(heap_op, sim_graph_total_ops(graph) + 1),
                    .edge = g_new(uint32_t, sim_graph_total_edges(graph) + 1)};
    size_t num_edges = 0;
    for (uint32_t rank = 0; rank < sim_graph_num_ranks(graph); rank++) {
        load_rank(&all, graph, rank, &num_edges);
    }
    all.op[all.num].edge = (uint32_t)num_edges;
    return all;
}

void heap_ops_clear(heap_ops *all)
{
    g_free(all->op);
    g_free(all->edge);
}
