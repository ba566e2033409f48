/* apps/ripple/knockout/knockout_room.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a wall time has room for, where sizes come from the smallest up and the largest is what was
 * asked for: smaller ones may not use up its time, and it may have fewer components than they.
 */
#pragma once

#include "experiment/pace.h"

#include <stddef.h>
#include <stdint.h>

/** All that there is to do for one series. */
typedef struct app_knockout_load {
    uint32_t ranks;
    double work; /* of all components (experiment/work.h) */
} app_knockout_load;

/**
 * Of how many components series @p i can be run without: all of them; at the largest size that has
 * room at all fewer, but at least half; or 0. While nothing is known of the pace, all. O(n)
 * @param loads [n] by ranks, the smallest first; those before @p i are done
 * @param whole all or none: pairs need all
 */
size_t app_knockout_room(const app_pace *pace, const app_knockout_load *loads, size_t n, size_t i,
                         size_t num_parts, bool whole);
