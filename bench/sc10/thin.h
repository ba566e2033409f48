/* bench/sc10/thin.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which of many detours to draw, so that the rare ones are all there and the frequent ones show no
 * pattern that is not theirs.
 */
#pragma once

#include "sim/time.h"

#include <stddef.h>
#include <stdint.h>

/**
 * Of each decade of lengths (1 to 10 us, 10 to 100 us, ...) all, or @p most drawn at random: every
 * n-th of periodic noise would pick one of its components and leave out another, in turns.
 * @param lengths [n] > 0  @param most of a decade, > 0
 * @return indices, ascending, [*num_kept]; owned by the caller
 */
size_t *sc10_thin(const sim_time *lengths, size_t n, size_t most, uint64_t seed, size_t *num_kept);
