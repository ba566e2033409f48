/* apps/ripple/statistics/skewness.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "statistics/skewness.h"

#include <assert.h>
#include <math.h>

/* g1, with moments about the mean divided by n; the first value is the origin, so that values that
 * are all alike have no moments at all. */
static double coefficient(const double *values, size_t n)
{
    const double count = (double)n;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += values[i] - values[0];
    }
    const double mean = sum / count;
    double square = 0;
    double cube = 0;
    for (size_t i = 0; i < n; i++) {
        const double d = values[i] - values[0] - mean;
        square += d * d;
        cube += d * d * d;
    }
    return square > 0 ? cube / count / pow(square / count, 1.5) : 0;
}

/* D'Agostino's steps: Johnson's S_U curve through the variance and the kurtosis of g1. */
double app_skewness_of(const double *values, size_t n)
{
    assert(n >= 8);
    const double k = (double)n;
    const double y = coefficient(values, n) * sqrt((k + 1) * (k + 3) / (6 * (k - 2)));
    const double kurtosis =
        3 * (k * k + 27 * k - 70) * (k + 1) * (k + 3) / ((k - 2) * (k + 5) * (k + 7) * (k + 9));
    const double w2 = sqrt(2 * (kurtosis - 1)) - 1;
    const double delta = 1 / sqrt(log(w2) / 2);
    return delta * asinh(y / sqrt(2 / (w2 - 1)));
}
