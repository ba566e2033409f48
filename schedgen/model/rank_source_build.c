/* schedgen/model/rank_source_build.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_trace_input. */
#include "sched/rank_source.h"

void sched_rank_ops_build(const sched_rank_ops *ops, uint32_t rank, sim_graph_builder *builder)
{
    sim_graph_builder_begin_rank(builder, rank);
    for (uint32_t i = 0; i < ops->num_ops; i++) {
        (void)sim_graph_builder_add(builder, &ops->ops[i]);
    }
    for (size_t e = 0; e < ops->num_edges; e++) {
        const sched_edge *edge = &ops->edges[e];
        if (edge->start) {
            sim_graph_builder_irequire(builder, edge->later, edge->earlier);
        } else {
            sim_graph_builder_require(builder, edge->later, edge->earlier);
        }
    }
}

sim_graph *sched_rank_source_build(sched_rank_source *source, GError **error)
{
    g_autoptr(sim_graph_builder) builder = sim_graph_builder_new(source->num_ranks);
    for (uint32_t rank = 0; rank < source->num_ranks; rank++) {
        sched_rank_ops ops;
        if (!source->get(source, rank, &ops, error)) {
            return NULL;
        }
        sched_rank_ops_build(&ops, rank, builder);
    }
    return sim_graph_builder_finish(g_steal_pointer(&builder), error);
}
