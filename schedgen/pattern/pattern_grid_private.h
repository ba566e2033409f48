/* schedgen/pattern/pattern_grid_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Ranks on a grid, as MPI_Cart_create() without reordering puts them there: the last coordinate
 * changes fastest.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { PATTERN_MOST_DIMENSIONS = 3 };

typedef struct pattern_grid {
    uint32_t dimensions;
    uint32_t extent[PATTERN_MOST_DIMENSIONS];
    uint32_t stride[PATTERN_MOST_DIMENSIONS]; /* from a rank to its neighbour in that dimension */
} pattern_grid;

/**
 * The most balanced grid, as MPI_Dims_create() is to choose it: extents do not grow from one
 * dimension to the next, the first is as small as it can be, then the second. O(sqrt(ranks)) for
 * each of the divisors.
 * @param ranks >= 1
 * @param dimensions 1..PATTERN_MOST_DIMENSIONS
 */
pattern_grid sched_pattern_grid(uint32_t ranks, uint32_t dimensions);

static inline uint32_t pattern_grid_coordinate(const pattern_grid *grid, uint32_t rank,
                                               uint32_t dimension)
{
    return rank / grid->stride[dimension] % grid->extent[dimension];
}

/** The neighbour one up, or down, on a torus; in an extent of 1 the rank itself. */
static inline uint32_t pattern_grid_neighbour(const pattern_grid *grid, uint32_t rank,
                                              uint32_t dimension, bool up)
{
    const uint32_t extent = grid->extent[dimension];
    const uint32_t stride = grid->stride[dimension];
    const uint32_t at = pattern_grid_coordinate(grid, rank, dimension);
    if (up) {
        return at + 1 < extent ? rank + stride : rank - stride * (extent - 1);
    }
    return at > 0 ? rank - stride : rank + stride * (extent - 1);
}
