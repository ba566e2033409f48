/* noise/places/quiet.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * An interval without detours in one word, so that threads may read and replace it at any time.
 * Where detours are rare, nearly all work lies in the interval of the work before.
 */
#pragma once

#include "sim/time.h"

#include <stdbool.h>
#include <stdint.h>

/** The first cell, above so many bits for how many there are; 0: none. A cell is 2^18 ps. */
typedef uint64_t noise_quiet;

enum { NOISE_QUIET_CELL_BITS = 18, NOISE_QUIET_COUNT_BITS = 20 };

/** Is there no detour in @p start .. @p end, 0 <= start < end? May say no where the answer is yes.
 */
static inline bool noise_quiet_holds(noise_quiet quiet, sim_time start, sim_time end)
{
    const uint64_t first = quiet >> NOISE_QUIET_COUNT_BITS;
    const uint64_t n = quiet & ((UINT64_C(1) << NOISE_QUIET_COUNT_BITS) - 1);
    const uint64_t begins = (uint64_t)start >> NOISE_QUIET_CELL_BITS;
    const uint64_t ends = (uint64_t)(end - 1) >> NOISE_QUIET_CELL_BITS;
    return begins >= first && ends < first + n;
}

/** There is none in @p from .. @p until, both 0..2 * SIM_TIME_MAX; as much as fits in a word. */
static inline noise_quiet noise_quiet_of(sim_time from, sim_time until)
{
    const uint64_t most = (UINT64_C(1) << NOISE_QUIET_COUNT_BITS) - 1;
    const uint64_t cell = (UINT64_C(1) << NOISE_QUIET_CELL_BITS) - 1;
    const uint64_t first = ((uint64_t)from + cell) >> NOISE_QUIET_CELL_BITS;
    const uint64_t end = (uint64_t)until >> NOISE_QUIET_CELL_BITS;
    const uint64_t n = end > first ? end - first : 0;
    return first << NOISE_QUIET_COUNT_BITS | (n < most ? n : most);
}
