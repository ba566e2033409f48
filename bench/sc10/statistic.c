/* bench/sc10/statistic.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "statistic.h"

#include <math.h>

double sc10_median_slowdown(const sc10_times *times)
{
    return sc10_slowdown(times, sc10_median(times));
}

double sc10_largest_slowdown(const sc10_times *const *t, size_t n)
{
    double largest = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, sc10_median_slowdown(t[i]));
    }
    return largest;
}

double sc10_ratio_of_slowdowns(const sc10_times *const *t, size_t n)
{
    (void)n;
    return sc10_median_slowdown(t[0]) / sc10_median_slowdown(t[1]);
}

double sc10_ratio_of_medians(const sc10_times *const *t, size_t n)
{
    (void)n;
    return sc10_median(t[0]) / sc10_median(t[1]);
}
