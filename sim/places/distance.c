/* sim/places/distance.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How many switches lie between two nodes, in closed form; docs/model.md, section 10.2. Slow
 * oracles in the tests search the graphs themselves.
 */
#include "sim/distance.h"

#include "places/distance_private.h"
#include "sim/error.h"
#include "sim/unit.h"

#include <assert.h>

/* The quotient by size[i]. */
static inline uint32_t divide(const sim_distance *d, uint32_t n, unsigned i)
{
    return sim_divide(n, d->size[i], d->reciprocal[i]);
}

/* Up to the lowest switch above both, and down again. */
static uint32_t hops_of_fat_tree(const sim_distance *d, uint32_t a, uint32_t b)
{
    uint32_t up = 0;
    while (up < d->num_sizes && divide(d, a, up) != divide(d, b, up)) {
        up++;
    }
    return 2 * up;
}

/* The shorter way round each ring; the last extent is what the nodes are left with. */
static uint32_t hops_of_torus(const sim_distance *d, uint32_t a, uint32_t b)
{
    uint32_t hops = 0;
    for (unsigned i = 0; i < d->num_sizes; i++) {
        const uint32_t next_a = divide(d, a, i);
        const uint32_t next_b = divide(d, b, i);
        const uint32_t x = a - next_a * d->size[i];
        const uint32_t y = b - next_b * d->size[i];
        const uint32_t way = x > y ? x - y : y - x;
        hops += MIN(way, d->size[i] - way);
        a = next_a;
        b = next_b;
    }
    return hops;
}

enum { ROUTER_NODES, GROUP_ROUTERS, ROUTER_LINKS };

/* Of a group's links, in the order of the groups they lead to, each router holds the next few. */
static inline uint32_t gateway(const sim_distance *d, uint32_t from, uint32_t to)
{
    return divide(d, to < from ? to : to - 1, ROUTER_LINKS);
}

/* To the router with the link to the other group, over it, and on to the router of the node. */
static uint32_t hops_of_dragonfly(const sim_distance *d, uint32_t a, uint32_t b)
{
    const uint32_t router_a = divide(d, a, ROUTER_NODES);
    const uint32_t router_b = divide(d, b, ROUTER_NODES);
    const uint32_t group_a = divide(d, router_a, GROUP_ROUTERS);
    const uint32_t group_b = divide(d, router_b, GROUP_ROUTERS);
    if (group_a == group_b) {
        return router_a != router_b;
    }
    const uint32_t leave = group_a * d->size[GROUP_ROUTERS] + gateway(d, group_a, group_b);
    const uint32_t enter = group_b * d->size[GROUP_ROUTERS] + gateway(d, group_b, group_a);
    return 1u + (router_a != leave) + (router_b != enter);
}

static inline uint32_t count_hops(const sim_distance *d, uint32_t a, uint32_t b)
{
    switch (d->kind) {
    case SIM_DISTANCE_FAT_TREE:
        return hops_of_fat_tree(d, a, b);
    case SIM_DISTANCE_TORUS:
        return hops_of_torus(d, a, b);
    case SIM_DISTANCE_DRAGONFLY:
        return hops_of_dragonfly(d, a, b);
    case SIM_DISTANCE_MATRIX:
        return d->hops[(size_t)d->switch_of[a] * d->num_switches + d->switch_of[b]];
    case SIM_DISTANCE_NONE:
        break;
    }
    return 0;
}

sim_time sim_distance_extra(const sim_distance *d, uint32_t node_a, uint32_t node_b)
{
    return node_a == node_b ? 0 : count_hops(d, node_a, node_b) * d->L_hop;
}

/* Between switches with a node. */
static uint32_t most_hops_of_matrix(const sim_distance *d)
{
    g_autofree bool *has_node = g_new0(bool, d->num_switches);
    for (uint32_t node = 0; node < d->num_nodes; node++) {
        has_node[d->switch_of[node]] = true;
    }
    uint32_t most = 0;
    for (uint32_t i = 0; i < d->num_switches; i++) {
        for (uint32_t j = 0; j < d->num_switches; j++) {
            if (has_node[i] && has_node[j]) {
                most = MAX(most, d->hops[(size_t)i * d->num_switches + j]);
            }
        }
    }
    return most;
}

uint32_t sim_distance_most_hops(const sim_distance *d)
{
    uint32_t hops = 0;
    switch (d->kind) {
    case SIM_DISTANCE_FAT_TREE:
        return 2 * d->num_sizes;
    case SIM_DISTANCE_TORUS:
        for (unsigned i = 0; i < d->num_sizes; i++) {
            hops += d->size[i] / 2;
        }
        return hops;
    case SIM_DISTANCE_DRAGONFLY:
        return 3; /* of one group, or with few links of a router, less: an upper bound */
    case SIM_DISTANCE_MATRIX:
        return most_hops_of_matrix(d);
    case SIM_DISTANCE_NONE:
        break;
    }
    return 0;
}

sim_time sim_distance_most(const sim_distance *d)
{
    return sim_distance_most_hops(d) * d->L_hop;
}

bool sim_distance_check(const sim_distance *d, const sim_placement *placement, GError **error)
{
    if (d->kind == SIM_DISTANCE_NONE || placement->num_nodes <= d->num_nodes) {
        return true;
    }
    if (placement->kind == SIM_PLACEMENT_LIST) {
        g_set_error(error, SIM_ERROR, SIM_ERROR_BAD_MACHINE,
                    "the topology has nodes 0 to %u, but there are ranks on node %u",
                    d->num_nodes - 1, placement->num_nodes - 1);
    } else {
        g_autofree char *nodes = sim_unit_format_count(d->num_nodes);
        g_autofree char *ranks = sim_unit_format_count(placement->num_ranks);
        g_autofree char *needed = sim_unit_format_count(placement->num_nodes);
        g_set_error(error, SIM_ERROR, SIM_ERROR_BAD_MACHINE,
                    "the topology has %s nodes, but %s ranks, %u on a node, need %s", nodes, ranks,
                    placement->ranks_per_node, needed);
    }
    return false;
}
