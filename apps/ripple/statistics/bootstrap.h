/* apps/ripple/statistics/bootstrap.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Confidence interval of a mean whose distribution is skewed: the BCa bootstrap (bias-corrected,
 * accelerated). B. Efron, Better bootstrap confidence intervals, Journal of the American
 * Statistical Association 82(397), 171-185, 1987.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** Means of samples drawn from the values with replacement. */
#define APP_RESAMPLES 2000

/**
 * Resamples are drawn with counter-based random numbers: the same values in the same order and the
 * same seed give the same interval.
 * @param values [n], n >= 2, not all alike
 * @param level  0..1, e.g. 0.95
 * O(n) times APP_RESAMPLES: 20 values some 0.3 ms.
 */
void app_bootstrap_mean(const double *values, size_t n, double level, uint64_t seed, double *low,
                        double *high);
