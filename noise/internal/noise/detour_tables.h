/* noise/detour_tables.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A trace of detours as engines look it up. Not installed.
 */
#pragma once

#include "noise/detour_trace.h"
#include "sim/noise_lanes.h"

/**
 * What noise_detour_trace_finish() says, for engines that look up by themselves; 20 bytes per
 * detour, made at the first call. Borrowed; NULL: there is no detour. Any thread.
 */
const sim_detours *noise_detour_trace_tables(const noise_detour_trace *trace);

/** Which detour is which: where some are left out, the others keep the numbers that they had. */
typedef struct noise_detour_numbers {
    const uint32_t *number; /* [n] of each detour; NULL: its index. Borrowed */
    size_t count;           /* numbers are below it */
} noise_detour_numbers;

/** Before anybody looks at it. Takes @p number [n], all below @p num_numbers. */
void noise_detour_trace_keep_numbers(noise_detour_trace *trace, uint32_t *number,
                                     size_t num_numbers);
/** @param tables of noise_detour_trace_tables() */
noise_detour_numbers noise_detours_numbers(const sim_detours *tables);

/** The first detour of a period that has not ended at @p pos (0..period - 1); n: the one of the
 * next period. O(1) expected. */
static inline size_t noise_detours_first_not_over(const sim_detours *d, sim_time pos)
{
    const size_t cell = (size_t)((uint64_t)pos >> d->shift);
    size_t low = d->over[cell]; /* the answer is in low..high */
    size_t high = d->over[cell + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (d->at[middle].end <= pos) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
