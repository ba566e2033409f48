/* bench/sc10/bootstrap.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How far a statistic of some runs may be from that of all possible runs: reproduce.md section 5.
 */
#pragma once

#include "lab.h"

/** A statistic and its 95 % interval; they are equal where there is none. */
typedef struct sc10_estimate {
    double value;
    double low;
    double high;
} sc10_estimate;

enum { SC10_MAX_SAMPLES = 3 };

/** Of @p num_samples series of runs, e.g. the ratio of two medians. */
typedef double sc10_statistic(const sc10_times *const *samples);

/** Percentile bootstrap: 1,000 resamples of each series. */
sc10_estimate sc10_bootstrap(const sc10_times *const *samples, size_t num_samples,
                             sc10_statistic *statistic);

/** A value that has no interval. */
static inline sc10_estimate sc10_exactly(double value)
{
    return (sc10_estimate){value, value, value};
}
