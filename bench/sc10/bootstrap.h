/* bench/sc10/bootstrap.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How far a statistic of some runs may be from that of all possible runs.
 */
#pragma once

#include "lab.h"

/** A statistic and its 95 % interval; they are equal where there is none. */
typedef struct sc10_estimate {
    double value;
    double low;
    double high;
} sc10_estimate;

/** Of @p n series of runs, e.g. the ratio of two medians. */
typedef double sc10_statistic(const sc10_times *const *samples, size_t n);

enum { SC10_ALL = 0 };

/**
 * Percentile bootstrap: 1,000 resamples of each of @p n series.
 * @param draw so many of the runs of each: the size of the sample of which @p statistic is a
 *   statistic (a maximum grows with it); SC10_ALL: as many as there are
 */
sc10_estimate sc10_bootstrap(const sc10_times *const *samples, size_t n, size_t draw,
                             sc10_statistic *statistic);

/** A value that has no interval. */
static inline sc10_estimate sc10_exactly(double value)
{
    return (sc10_estimate){value, value, value};
}
