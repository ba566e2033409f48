/* sim/places/placement.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/placement.h"

#include <assert.h>

static uint32_t nodes_needed(uint32_t num_ranks, uint32_t ranks_per_node)
{
    assert(num_ranks > 0 && ranks_per_node > 0);
    return (num_ranks - 1) / ranks_per_node + 1;
}

sim_placement sim_placement_block(uint32_t num_ranks, uint32_t ranks_per_node)
{
    const uint32_t num_nodes = nodes_needed(num_ranks, ranks_per_node);
    return (sim_placement){.kind = SIM_PLACEMENT_BLOCK,
                           .num_ranks = num_ranks,
                           .ranks_per_node = ranks_per_node,
                           .num_nodes = num_nodes,
                           .num_used = num_nodes,
                           .reciprocal = sim_reciprocal(ranks_per_node)};
}

sim_placement sim_placement_cyclic(uint32_t num_ranks, uint32_t ranks_per_node)
{
    const uint32_t num_nodes = nodes_needed(num_ranks, ranks_per_node);
    return (sim_placement){.kind = SIM_PLACEMENT_CYCLIC,
                           .num_ranks = num_ranks,
                           .ranks_per_node = ranks_per_node,
                           .num_nodes = num_nodes,
                           .num_used = num_nodes,
                           .reciprocal = sim_reciprocal(num_nodes)};
}

sim_placement sim_placement_list(uint32_t num_ranks, const uint32_t *node, uint32_t *slot)
{
    sim_placement p = {
        .kind = SIM_PLACEMENT_LIST, .num_ranks = num_ranks, .node = node, .slot = slot};
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        assert(node[rank] < SIM_PLACEMENT_MAX_NODES);
        p.num_nodes = MAX(p.num_nodes, node[rank] + 1);
    }
    g_autofree uint32_t *count = g_new0(uint32_t, p.num_nodes);
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        slot[rank] = count[node[rank]]++;
        p.num_used += slot[rank] == 0;
        p.ranks_per_node = MAX(p.ranks_per_node, slot[rank] + 1);
    }
    return p;
}
