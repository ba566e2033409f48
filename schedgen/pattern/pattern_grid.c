/* schedgen/pattern/pattern_grid.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "pattern/pattern_grid_private.h"

#include <assert.h>

/* Fill extents from the last one on: @p extent[0..n), none below @p least, of product @p ranks. */
static bool divide(uint32_t ranks, uint32_t n, uint32_t least, uint32_t *extent)
{
    if (n == 1) {
        extent[0] = ranks;
        return ranks >= least;
    }
    bool found = false;
    for (uint64_t last = least; last * last <= ranks; last++) {
        uint32_t others[PATTERN_MOST_DIMENSIONS];
        if (ranks % last != 0 || !divide(ranks / (uint32_t)last, n - 1, (uint32_t)last, others)) {
            continue;
        }
        bool better = !found;
        for (uint32_t i = 0; found && i + 1 < n; i++) {
            if (others[i] != extent[i]) {
                better = others[i] < extent[i];
                break;
            }
        }
        for (uint32_t i = 0; better && i + 1 < n; i++) {
            extent[i] = others[i];
        }
        extent[n - 1] = better ? (uint32_t)last : extent[n - 1];
        found = true;
    }
    return found;
}

pattern_grid sched_pattern_grid(uint32_t ranks, uint32_t dimensions)
{
    assert(ranks >= 1 && dimensions >= 1 && dimensions <= PATTERN_MOST_DIMENSIONS);
    pattern_grid grid = {.dimensions = dimensions};
    const bool found = divide(ranks, dimensions, 1, grid.extent);
    assert(found); /* ranks x 1 x 1 always is one */
    (void)found;
    uint32_t stride = 1;
    for (uint32_t i = dimensions; i > 0; i--) {
        grid.stride[i - 1] = stride;
        stride *= grid.extent[i - 1];
    }
    return grid;
}
