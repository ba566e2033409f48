/* apps/ripple/view/blocks.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Some blocks of ranks in which each has a row of its own: what is behind a row of the heat map
 * that is many ranks.
 */
#pragma once

#include "view/observer.h"

/** A block is so many ranks, from a multiple of that on; at most so many blocks. */
enum { APP_BLOCK_RANKS = 64, APP_MOST_BLOCKS = 64 };

typedef struct app_blocks {
    uint32_t num_ranks;
    uint32_t most;
    uint32_t n;
    uint32_t *chosen; /* [n] in ascending order: a block begins at chosen[i] * APP_BLOCK_RANKS */
    uint32_t
        *row_of; /* [blocks of all ranks] its first row in heat; UINT32_MAX: it is not chosen */
    const sim_noise *noise;
    app_heat *heat;
} app_blocks;

/**
 * Those of @p lanes [num_lanes] in their order, then those that lost most. O(ranks).
 * @param most blocks, at most APP_MOST_BLOCKS  @param observer of the whole run  @param noise
 * borrowed, of the run
 */
void app_blocks_choose(app_blocks *blocks, const app_observer *observer, const uint32_t *lanes,
                       uint32_t num_lanes, uint32_t most, const sim_noise *noise);
/** Of a rank in any order. Those of ranks in no block are passed over. */
void app_blocks_add(app_blocks *blocks, const app_observed_stretch *stretch);
bool app_blocks_has(const app_blocks *blocks, uint32_t rank);
/** All have been added. */
void app_blocks_fill(app_blocks *blocks, app_picture *picture);
void app_blocks_clear(app_blocks *blocks);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(app_blocks, app_blocks_clear)
