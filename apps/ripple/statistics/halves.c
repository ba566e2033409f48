/* apps/ripple/statistics/halves.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "statistics/halves.h"

#include <assert.h>
#include <math.h>

static double sum(const double *values, size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        total += values[i];
    }
    return total;
}

bool app_halves_split(const double *noisy, const double *ideal, size_t n, size_t unit,
                      double *first, double *second)
{
    assert(unit > 0);
    const size_t half = n / unit / 2 * unit;
    const size_t begin = n - 2 * half;
    const double ideal1 = sum(ideal + begin, half);
    const double ideal2 = sum(ideal + begin + half, half);
    if (!(ideal1 > 0 && ideal2 > 0)) {
        return false;
    }
    *first = sum(noisy + begin, half) / ideal1 - 1;
    *second = sum(noisy + begin + half, half) / ideal2 - 1;
    return true;
}

app_halves app_halves_of(const double *first, const double *second, size_t n, double half_width)
{
    assert(n > 0 && half_width > 0);
    double difference = 0;
    for (size_t i = 0; i < n; i++) {
        difference += (second[i] - first[i]) / (double)n;
    }
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        const double d = second[i] - first[i] - difference;
        squares += d * d;
    }
    const double count = (double)n;
    const double error = n > 1 ? sqrt(squares / (count - 1) / count) : INFINITY;
    return (app_halves){
        .difference = difference,
        .standard_error = error,
        .is_settled = fabs(difference) <= half_width + error && error / 2 <= half_width,
    };
}

double app_halves_off_by(double difference, double standard_error)
{
    const bool is_chance = fabs(difference) <= 2 * standard_error;
    return is_chance ? 0 : difference / 2;
}
