/* bench/sc07/statistic.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file What is said of the metrics of many runs. */
#pragma once

#include "estimate.h"

#include <stddef.h>

/** Mean, with its 95 % interval (BCa bootstrap); all alike: without. */
sc10_estimate sc07_mean(const double *x, size_t n);
/** Median, with the least and the greatest in place of an interval. */
sc10_estimate sc07_range(const double *x, size_t n);
/** By linear interpolation. @param p 0..1 */
double sc07_quantile(const double *x, size_t n, double p);
/**
 * Mann and Whitney's test: how likely are values of @p x as far above those of @p y, if both come
 * from one distribution? One-sided; normal approximation with ties and continuity corrected, for
 * some ten values or more.
 */
double sc07_rank_sum(const double *x, size_t num_x, const double *y, size_t num_y);
