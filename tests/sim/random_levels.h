/* tests/sim/random_levels.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Nodes and distance at random: as the engine takes them, and written out for the judge.
 */
#pragma once

#include "judge.h"
#include "sim/levels.h"

#include <glib.h>

#define RANDOM_LEVELS_NODES 16U /* at most */

typedef struct random_levels {
    sim_levels engine;
    judge_levels judge;
    uint32_t *list; /* [ranks] the placement of a list */
    uint32_t *slot;
    uint32_t *node;                          /* [ranks] for the judge */
    uint32_t switch_of[RANDOM_LEVELS_NODES]; /* of a matrix */
    uint16_t *hops;
    sim_time *distance; /* [nodes²] for the judge */
} random_levels;

/**
 * Any kind of placement, with or without @p within as parameters of the node, any kind of distance
 * or none.
 * @param num_ranks at most RANDOM_LEVELS_NODES
 * @param unit 0, or what L_hop is a multiple of
 */
random_levels *random_levels_new(GRand *random, uint32_t num_ranks, const sim_params *within,
                                 sim_time unit);
void random_levels_free(random_levels *levels); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(random_levels, random_levels_free)
