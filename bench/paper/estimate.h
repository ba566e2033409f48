/* bench/paper/estimate.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A statistic of some runs, and how far it may be from that of all possible runs.
 */
#pragma once

/** A statistic and its 95 % interval; they are equal where there is none. */
typedef struct sc10_estimate {
    double value;
    double low;
    double high;
} sc10_estimate;

/** A value that has no interval. */
static inline sc10_estimate sc10_exactly(double value)
{
    return (sc10_estimate){value, value, value};
}
