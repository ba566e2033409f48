/* schedgen/model/rank_source_build.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_trace_input. */
#include "sched/rank_source.h"

bool sched_rank_ops_build(const sched_rank_ops *ops, uint32_t rank, sim_graph_builder *builder)
{
    sim_graph_builder_begin_rank(builder, rank);
    sim_graph_builder_ops(builder, ops->ops, ops->num_ops);
    sim_graph_builder_edges(builder, ops->edges, ops->num_edges);
    return sim_graph_builder_end_rank(builder);
}

bool sched_rank_source_build_in(sched_rank_source *source, sim_graph_builder *builder,
                                GError **error)
{
    bool sound = true;
    for (uint32_t rank = 0; rank < source->num_ranks && sound; rank++) {
        sched_rank_ops ops;
        if (!source->get(source, rank, &ops, error)) {
            return false;
        }
        sound = sched_rank_ops_build(&ops, rank, builder);
    }
    return true;
}

sim_graph *sched_rank_source_build(sched_rank_source *source, GError **error)
{
    g_autoptr(sim_graph_builder) builder = sim_graph_builder_new(source->num_ranks);
    return sched_rank_source_build_in(source, builder, error)
               ? sim_graph_builder_finish(g_steal_pointer(&builder), error)
               : NULL;
}
