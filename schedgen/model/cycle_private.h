/* schedgen/model/cycle_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Cycles of dependencies: found, and said in words.
 */
#pragma once

#include "sched/rank_source.h"

/**
 * Look for a dependency cycle among @p n operations, as sim_cycle_find() does. O(n + edges) time; 4
 * bytes per edge, 5 per operation and 16 for each that is on the way.
 * @param cycle operations of the first one found, each waiting for the next and the last for the
 *   first, beginning with the lowest; owned by the caller
 * @return its length, 0 if there is none
 */
size_t sched_cycle_find(uint32_t n, const sched_edge *edges, size_t num_edges, uint32_t **cycle);

/** The name of an operation for messages. Owned by the caller. */
typedef char *sched_describe(const void *context, uint32_t index);
/** "l4 → l2 → l4", cut short after a dozen. Owned by the caller. */
char *sched_cycle_describe(const uint32_t *cycle, size_t len, sched_describe *describe,
                           const void *context);
