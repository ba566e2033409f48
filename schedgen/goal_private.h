/* schedgen/goal_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the readers and writers of GOAL share.
 */
#pragma once

#include "sched/goal.h"

#define GOAL_MAGIC          UINT64_C(4223)
#define GOAL_MAGIC_CONSUMED UINT64_C(2342) /* a simulator ran in place and destroyed it */
#define GOAL_MAX_INDEX      254            /* of a CPU or NIC: the reference counts in a byte */
/* Ranks that a file may announce without describing them: more is taken for damage. */
#define GOAL_MAX_SILENT_RANKS (UINT32_C(1) << 22)

sim_graph *goal_text_read(const char *name, const char *data, size_t len, bool strict,
                          GError **error);
sim_graph *goal_binary_read(const char *name, const unsigned char *data, size_t len,
                            GError **error);

/** @p later waits for @p earlier to start (irequires) or to finish (requires); in one rank. */
typedef struct goal_edge {
    uint32_t later;
    uint32_t earlier;
    bool start;
} goal_edge;

/**
 * Look for a dependency cycle among @p n operations. O(n + edges) time, 16 bytes per operation.
 * @param cycle operations of the first one found, each waiting for the next and the last for the
 *   first, beginning with the lowest; owned by the caller
 * @return its length, 0 if there is none
 */
size_t goal_cycle_find(uint32_t n, const goal_edge *edges, size_t num_edges, uint32_t **cycle);

/** The name of an operation for messages. Owned by the caller. */
typedef char *goal_describe(const void *context, uint32_t index);
/** "l4 → l2 → l4", cut short after a dozen. Owned by the caller. */
char *goal_cycle_describe(const uint32_t *cycle, size_t len, goal_describe *describe,
                          const void *context);
