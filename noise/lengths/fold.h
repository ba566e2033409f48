/* noise/lengths/fold.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From peaks of excess time to sources of noise: a long operation contains several detours, so a
 * source of length D shows as peaks at D, 2D, 3D … and, with another one, at sums.
 */
#pragma once

#include "sim/time.h"
#include "synopsis/histogram.h"

#include <glib.h>
#include <stdbool.h>

/** One peak with what its events have in common. */
typedef struct miner_peak {
    double mean;  /* ps */
    double exact; /* the length a good part of its events have to the picosecond; 0: none */
    double count;
    double known;     /* of these, events whose expected duration was given */
    double variance;  /* of one event, ps^2 */
    double wall;      /* mean duration of its events, noise included, ps */
    double span;      /* run time of the ranks that have it, ps */
    uint32_t part[2]; /* sources … */
    uint32_t hits[2]; /* … and how many detours of each; 0: none */
} miner_peak;

/** A source of noise with the length of its detours. */
typedef struct miner_source {
    double length; /* ps */
    double error;  /* standard error of length */
    bool exact;    /* a good part of its events have it to the picosecond */
    double hits;   /* detours in all peaks */
    double span;   /* run time of the ranks it is known on, ps */
} miner_source;

/** Add the events of a cell. */
void noise_miner_peak_add(miner_peak *peak, const miner_cell *cell);
/** Of so many that were looked at, are so many that have just one value a good part? */
bool noise_miner_is_exact(double exact, double looked);
/** What many of these @p n excesses of its events agree on to the picosecond; sorts them. */
void noise_miner_peak_find_exact(miner_peak *peak, sim_time *value, size_t n);

/**
 * Empty (count 0) the peaks that are rests of detours: where a source has an exact length, whatever
 * spreads near its peaks, on its ranks and much more rarely, was cut off from its detours.
 */
void noise_miner_fold_drop_rests(miner_peak *peak, uint32_t n, const double *overlap);

/**
 * Explain peaks by as few sources as possible and fill in their parts. A peak is a multiple or a
 * sum only where ranks agree and operations are long enough to hold that many detours that often.
 * @param peak    [n]; those without events are left out
 * @param overlap [n * n] of the events of peak i, how many are on ranks that also have peak j
 * @return miner_source; owned by the caller
 */
GArray *noise_miner_fold(miner_peak *peak, uint32_t n, const double *overlap);
