/* apps/ripple/statistics/skewness.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Is a sample skewed beyond what chance gives? R. B. D'Agostino, Transformation to normality of
 * the null distribution of g1, Biometrika 57(3), 679-681, 1970.
 */
#pragma once

#include <stddef.h>

/**
 * g1 = m3 / m2^(3/2) of the sample, as a number of standard deviations: standard normal, closely,
 * if the values are drawn from a normal distribution.
 * @param values [n], n >= 8; all alike: 0. O(n).
 */
double app_skewness_of(const double *values, size_t n);
