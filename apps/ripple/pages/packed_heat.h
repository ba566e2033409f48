/* apps/ripple/pages/packed_heat.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The heat map of a picture as JSON: as much of it as there is room for, so that wherever a reader
 * goes closer there is something finer.
 */
#pragma once

#include "view/picture.h"

#include <json-glib/json-glib.h>

typedef struct app_packed_heat {
    size_t first_level; /* the finest level of the picture that fits; num_levels: none */
    uint32_t few_ranks; /* of a row of the level of few ranks; 0: it is not there */
    sim_time few_time;  /* and of its columns */
    size_t num_blocks;  /* all, or none */
    sim_time block_time;
} app_packed_heat;

/**
 * Adds member "heat", unless there is none: a sixth of the room for blocks; then levels, from the
 * coarsest to the finest that fits, two fifths being kept free for the level of few ranks where
 * that is finer. Columns of that and of blocks become wider until they fit.
 * @param left bytes that it may take
 */
void app_packed_heat_build(const app_picture *picture, size_t left, app_packed_heat *out,
                           JsonBuilder *b);
