/* sim/cycle.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Finding nodes that wait for each other in a cycle, in a graph that need not be stored: the search
 * asks what a node waits for when it comes to it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sim_waiting sim_waiting;
struct sim_waiting {
    uint64_t num_nodes;
    /**
     * The next node that @p node waits for.
     * @param at 0 in the first call for @p node, then what the call before has left there
     * @return false: there is no more
     */
    bool (*next)(sim_waiting *graph, uint64_t node, uint32_t *at, uint64_t *to);
};

/**
 * Search from each node in order, depth first. O(nodes + edges) time, a byte per node and 16 per
 * node on the way.
 * @param cycle of the first one found: each node waits for the next and the last for the first;
 *   owned by the caller; untouched if there is none
 * @return its length, 0 if there is none
 */
size_t sim_cycle_find(sim_waiting *graph, uint64_t **cycle);
