/* apps/ripple/statistics/statistics.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What is said about replicas: order statistics, no distribution assumed.
 */
#pragma once

#include "sim/time.h"

#include <stddef.h>

typedef struct app_statistics {
    sim_time min;
    sim_time quartile1;
    sim_time median;
    sim_time quartile3;
    sim_time max;
    sim_time p95; /* 95 % and 99 % of the values are not above */
    sim_time p99;
    sim_time mean;         /* to the nearest ps */
    sim_time whisker_low;  /* the last value within 1.5 quartile distances of the box, but at */
    sim_time whisker_high; /* least its end */
    size_t outliers;       /* values beyond */
    /**
     * Confidence interval of the median between two of the values: they enclose it with
     * probability @c level, exactly (binomial). Level 0: one value, no interval.
     */
    sim_time low;
    sim_time high;
    double level; /* at least what was asked for, unless there are too few values */
} app_statistics;

/** @param values [n] n > 0, in any order  @param level asked for, e.g. 0.95. O(n log n). */
app_statistics app_statistics_of(const sim_time *values, size_t n, double level);
