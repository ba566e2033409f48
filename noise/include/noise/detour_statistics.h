/* noise/detour_statistics.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the detours of one or more CPUs say of themselves: how much of the time they take, how long
 * they are, how far apart. docs/noise.md, section 9.
 */
#pragma once

#include "noise/error.h"
#include "sim/time.h"

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

/** The detours that were seen on one CPU. Borrowed. */
typedef struct noise_observation {
    size_t n;
    const sim_time *start;  /* [n] ps since the loop began, ascending */
    const sim_time *length; /* [n] ps > 0; none overlaps the next */
    sim_time duration;      /* ps > 0, of the loop: what shares refer to */
    const uint16_t *kind;   /* [n] what is known of each: an index into names that come with it;
                             * NULL: nothing is known */
} noise_observation;

/** Of all CPUs together: stolen time over measured time, 0..1. O(n). */
double noise_stolen_share(const noise_observation *cpus, size_t num_cpus);

enum { NOISE_TIME_BLOCKS = 50 };

/**
 * The share in each of NOISE_TIME_BLOCKS equal parts of the measurement, of all CPUs together.
 * Their mean is noise_stolen_share() where all loops are as long. Detours come in bursts and on
 * several CPUs at once, so the interval of their share has to resample stretches of time, not
 * detours (block bootstrap; Künsch 1989). O(n).
 */
void noise_share_blocks(const noise_observation *cpus, size_t num_cpus,
                        double share[NOISE_TIME_BLOCKS]);

/** A quantile and an interval between two of the values around it. */
typedef struct noise_quantile {
    double q; /* 0..1 */
    sim_time value;
    sim_time low, high; /* enclose the true quantile with probability level */
    double level; /* exact (binomial) if values are independent; below what was asked for where
                   * values are too few, e.g. at q = 0.999 */
} noise_quantile;

/**
 * The @p q quantile of @p sorted [n], n > 0, ascending: the smallest value that a share q is not
 * above. O(1) but for the binomial quantiles.
 */
noise_quantile noise_quantile_of(const sim_time *sorted, size_t n, double q, double level);

/** A bin of a histogram over 8 bins per octave of nanoseconds (4 % to 12 % wide; exact below 8). */
typedef struct noise_length_bin {
    sim_time from, to; /* ps, from <= value < to */
    uint64_t count;
    uint64_t above; /* values that are at least from: the CCDF, times n */
    double time;    /* ps, sum of the values in the bin */
} noise_length_bin;

/** Bins that are not empty, ascending. @p num set. Owned by the caller; NULL if n is 0. O(n). */
noise_length_bin *noise_length_histogram(const sim_time *values, size_t n, size_t *num);

/** Lengths of all CPUs in one array, ascending; owned by the caller. @p num set. */
sim_time *noise_sorted_lengths(const noise_observation *cpus, size_t num_cpus, size_t *num);
/** Times from start to start of neighbours on a CPU, ascending; owned by the caller. */
sim_time *noise_sorted_gaps(const noise_observation *cpus, size_t num_cpus, size_t *num);

/**
 * Ranks from which a component decides every second collective: P* = ln 2 T / (D + w). Of detours
 * that come at random, independently on each rank: one collective of P ranks is hit with
 * probability 1 - exp(-P (D + w) / T). docs/noise.md, section 8.
 * @param interval T > 0, ps between the starts of detours on one CPU
 * @param length   D, ps, of one detour
 * @param lasts    w, ps, what the collective takes without noise
 * @return at least 1
 */
double noise_bottleneck_ranks(double interval, double length, double lasts);

G_END_DECLS
