/* noise/lengths/peaks.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Peaks of a histogram that counting noise does not explain; docs/noise-miner.md, section 2,
 * step 3.
 */
#pragma once

#include "sim/time.h"
#include "synopsis/histogram.h"

#include <glib.h>

/** A maximum and all bins that belong to it; every bin that is not empty is in one hill. */
typedef struct miner_hill {
    uint32_t first;
    uint32_t peak;
    uint32_t last;
    uint64_t count;
} miner_hill;

/**
 * Cut @p count into hills: at every gap of two empty bins, and at valleys that are three standard
 * deviations below the lower of the peaks beside them (after smoothing by 1 2 1). O(n).
 * @return miner_hill, ascending; owned by the caller
 */
GArray *noise_miner_hills_new(const uint64_t *count, uint32_t n);

/** Bins that hold a value so often that it is no accident. */
typedef struct miner_core {
    uint32_t first;
    uint32_t last;
    uint64_t count;
} miner_core;

/**
 * The significant peaks of @p count [MINER_BINS], without the flat ground they stand on: values
 * that are spread evenly over a range, as the rests of detours that began before an operation
 * are, are ground. Looks at single bins first, then at 4 and at 16 together for what is left.
 * @param owner [MINER_BINS] set to the index of the core a bin belongs to, or -1
 * @return miner_core; owned by the caller
 */
GArray *noise_miner_cores_new(const uint64_t *count, int32_t *owner);
