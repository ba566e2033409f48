/* tests/sim/places/topology_graph.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Topologies drawn switch by switch and link by link, and searched breadth first: the slow oracle
 * of the closed forms. Nothing here is computed as sim/places computes it.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

typedef struct topology_graph {
    uint32_t num_switches;
    GArray **links;    /* [num_switches] of topology_link */
    GArray *switch_of; /* of uint32_t: where node i hangs */
} topology_graph;

topology_graph *topology_fat_tree(uint32_t radix, uint32_t levels);
topology_graph *topology_torus(const uint32_t *extent, uint32_t dimensions);
topology_graph *topology_dragonfly(uint32_t groups, uint32_t routers, uint32_t nodes);
void topology_graph_free(topology_graph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(topology_graph, topology_graph_free)

/**
 * The switches on the shortest way from switch @p from to each, both ends counted, over at most one
 * global link: [num_switches], owned by the caller.
 */
uint32_t *topology_graph_search(const topology_graph *graph, uint32_t from);
