/* noise/miner/blame.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Mode modern: which source is to blame for which excess.
 */
#pragma once

#include "lengths/fold.h"
#include "synopsis/histogram.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define MINER_NOBODY UINT32_MAX

/** Peaks of the excess of all ranks, and the sources that explain them. */
typedef struct miner_blame {
    bool faster;
    int32_t owner[MINER_BINS]; /* which peak a bin belongs to; -1 */
    uint32_t num_peaks;
    miner_peak *peak;
    GArray *sources; /* miner_source */
} miner_blame;

/** Which sources does a rank of this excess know for sure? [sources], owned by the caller */
bool *noise_miner_blame_known(const miner_blame *blame, const miner_histogram *excess);
/**
 * The one source that an excess without a peak can be the rest of; MINER_NOBODY if several can.
 * Several detours of a short one count as well if operations are long enough for them.
 * @param on of noise_miner_blame_known() @param wall how long the operation lasted, ps
 */
uint32_t noise_miner_blame_culprit(const miner_blame *blame, const bool *on, double excess,
                                   double wall);
/** Is an excess without a peak longer than anything that the sources of the rank can come to? */
bool noise_miner_blame_is_beyond(const miner_blame *blame, const bool *on, double excess,
                                 double wall);
/** How many detours of @p source an event of that bin has: whole ones, or 1 for the rest of one. */
uint32_t noise_miner_blame_hits(const miner_blame *blame, const bool *on, const miner_cell *cell,
                                uint32_t source);
