/* bench/sc10/recorded/ideal.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How long a record takes without noise in many copies, from how long it takes in fewer: copies
 * are the same, and what grows with them is the depth of the collectives, ceil(log2 ranks).
 */
#pragma once

#include <stdint.h>

typedef struct sc10_ideal {
    double seconds;
    double off; /* s, >= 0; how far a parabola is from it: an estimate, no bound */
} sc10_ideal;

enum { SC10_IDEAL_SIZES = 3 };

/**
 * Straight over ceil(log2 ranks) through the two larger sizes; a parabola through all three lies
 * `off` beside that.
 * @param ranks   ascending, ceil(log2) too
 * @param seconds without noise
 * @param wanted  ranks, as many as the last of @p ranks at least
 */
sc10_ideal sc10_ideal_extrapolate(const uint32_t ranks[SC10_IDEAL_SIZES],
                                  const double seconds[SC10_IDEAL_SIZES], uint32_t wanted);
