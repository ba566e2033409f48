/* noise/analysis/length_modes.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Lengths that are so frequent that it is no accident, by the miner's peaks.
 */
#pragma once

#include "sim/time.h"

#include <stddef.h>
#include <stdint.h>

/**
 * The modes of @p length [n], in any order. What is at most half an octave beside a mode, and
 * nearer to it than to others, is its tail.
 * @param mode [n] set to 0..modes-1 from the shortest up, or UINT16_MAX: of none
 * @return how many there are. O(n)
 */
size_t noise_length_modes(const sim_time *length, size_t n, uint16_t *mode);
