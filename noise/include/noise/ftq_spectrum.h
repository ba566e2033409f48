/* noise/ftq_spectrum.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Rhythms in the work that was done in equal intervals of time (fixed time quantum): a power
 * spectrum by Welch's method, and its peaks. P. D. Welch, The use of fast Fourier transform for the
 * estimation of power spectra, IEEE Trans. Audio Electroacoust. 15(2), 70-73, 1967. docs/noise.md,
 * section 9.
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stddef.h>

G_BEGIN_DECLS

/** What takes work away at a frequency, with its harmonics. */
typedef struct noise_spectrum_peak {
    double frequency;   /* Hz; of the fundamental, from it and all harmonics found */
    double lost;        /* ps of work lost per hit, if every period takes as much */
    double share;       /* of the time: lost * frequency */
    double height;      /* of the density, above what is beside it */
    double false_alarm; /* that white noise has a bin so high somewhere */
    unsigned harmonics; /* peaks that are multiples of it, itself included, aliased ones too */
} noise_spectrum_peak;

typedef struct noise_spectrum {
    size_t num_bins;   /* one-sided, from bin 0 on */
    double bin;        /* Hz from bin to bin */
    double *density;   /* [num_bins] (fraction of an interval)^2 per Hz */
    double *threshold; /* [num_bins] above it is a peak */
    double nyquist;    /* Hz: what is faster shows at another frequency */
    size_t segments;   /* that were averaged */
    double missing;    /* 1 - mean / most: share of the work that was not done */
    double most;       /* what an undisturbed interval holds: the 99.9th percentile */
    double chance;     /* false-alarm probability that was asked for */
    size_t num_peaks;
    noise_spectrum_peak *peaks; /* [num_peaks] by frequency */
} noise_spectrum;

enum { NOISE_SPECTRUM_SEGMENT = 1 << 14, NOISE_SPECTRUM_FEWEST = 64 };

/**
 * Mean removed, Hann window, segments of 2^14 samples (or the largest power of 2 that there are)
 * overlapping by half, real FFT, mean of the one-sided densities. A bin is a peak if white noise as
 * strong as what is beside it would have one so high anywhere in the spectrum with a probability
 * below @p chance. O(n log n).
 * @param work [n] done in each interval, any unit
 * @param interval ps
 * @return owned by the caller; NULL where n < NOISE_SPECTRUM_FEWEST, or no work was done at all
 */
noise_spectrum *noise_ftq_spectrum_new(const double *work, size_t n, sim_time interval,
                                       double chance);
void noise_spectrum_free(noise_spectrum *spectrum); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_spectrum, noise_spectrum_free)

G_END_DECLS
