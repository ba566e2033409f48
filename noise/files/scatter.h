/* noise/files/scatter.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From a histogram to detours: it says how many there were of each length, and not when. As a model
 * of it they are laid out at random, once and for all.
 */
#pragma once

#include "files/reader.h"

typedef struct noise_bin {
    sim_time length; /* ps, of each */
    uint64_t count;
} noise_bin;

/**
 * A run of @p period that holds the detours of all @p bins, in random order at uniformly random
 * times at which none overlap; it ends here. The numbers are hashes of @p run: the same each time.
 * @return false with the reader's error: more than 2^24 detours, or no time left
 */
bool noise_scatter(noise_reader *reader, const noise_bin *bins, size_t n, sim_time period,
                   uint64_t run);
