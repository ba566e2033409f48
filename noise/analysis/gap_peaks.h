/* noise/analysis/gap_peaks.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Times between starts that are far more frequent than those a little shorter or longer. What comes
 * in bursts has many short gaps, but none so sharp: where detours at random come in clusters, the
 * periodogram sees the clusters, and this sees the beat.
 */
#pragma once

#include "sim/time.h"

#include <stddef.h>

enum { NOISE_GAP_PEAKS = 6 };

typedef struct noise_gap_peak {
    double gap;   /* ps */
    double slack; /* ps: the peak is so wide on each side */
} noise_gap_peak;

/**
 * The sharpest peaks among the gaps between each of @p start [n], ascending, and the next few.
 * @return how many were written to @p peak, at most NOISE_GAP_PEAKS. O(n)
 */
size_t noise_gap_peaks_find(const sim_time *start, size_t n, noise_gap_peak *peak);
