/* bench/sc10/bootstrap.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How far a statistic of some runs may be from that of all possible runs.
 */
#pragma once

#include "estimate.h"
#include "lab.h"

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
