/* apps/ripple/statistics/mean.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The mean of independent values, one of each replica, and how well they know it.
 *
 * An interval says how far the mean of these values may lie from that of all machines that could
 * have been drawn. It cannot know of what none of them has met: five replicas that a rare detour
 * has missed are all alike, and their interval is a point. So it may be believed only where the run
 * has met enough detours of every component; and it is of the lists of random detours that the seed
 * has drawn: docs/model.md, section 9.5.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Of this many values on there is an interval. */
#define APP_MEAN_LEAST 5
/** Of the intervals. */
#define APP_MEAN_LEVEL 0.95

typedef struct app_mean {
    double mean;
    double median;
    double low;        /* the interval; or the range, */
    double high;       /* if there are fewer than five values */
    double level;      /* of confidence: 0.95; 0: low and high are smallest and largest value */
    bool is_bootstrap; /* BCa, else Student's t */
    double half_width; /* the longer side of the interval; INFINITY where there is none */
} app_mean;

/**
 * From five values on a 95 % interval: mean +- t s / sqrt(n), t the 97.5 % quantile of Student's
 * distribution of n - 1 degrees of freedom. From 20 values on that are skewed beyond what chance
 * gives (D'Agostino's test, statistics/skewness.h, at 5 %), the BCa bootstrap
 * (statistics/bootstrap.h); with fewer, neither the test nor the bootstrap has enough to go by.
 * @param values [n], n > 0, in the unit that comes back; the result depends on their order only
 *   through rounding and, in a bootstrap, through what is drawn
 * @param seed of the bootstrap
 * O(n log n); a bootstrap O(n) times 2,000.
 */
app_mean app_mean_of(const double *values, size_t n, uint64_t seed);

/**
 * How many values, the pilot's included, make the interval no wider than +- @p half_width: C.
 * Stein, A two-sample test for a linear hypothesis whose power is independent of the variance,
 * Annals of Mathematical Statistics 16(3), 243-258, 1945. The mean of that many values +- @p
 * half_width has the level of the pilot, whatever the variance; app_mean_of() of all of them gives
 * another interval, about as wide. If the pilot is a bootstrap, this is an estimate.
 * @param pilot app_mean_of() of the first @p n values
 * @param half_width > 0, in the unit of the values
 * @return at least @p n; five if the pilot had fewer; SIZE_MAX if there are not so many
 */
size_t app_mean_needed(const app_mean *pilot, size_t n, double half_width);

/**
 * Make the interval at least @p half_width wide to either side; of a range, nothing. For values
 * that come in steps, such as the slowdowns of co-scheduled periodic noise, which steals whole
 * detours: they may be all alike though some machines lie a step higher, and then their interval is
 * a point. If a share p of the machines does, n replicas miss it with probability (1 - p)^n, which
 * is 5 % at p = 0.45 with n = 5 and at less with more: so half a step (half a detour, over the
 * length of the run) to either side holds the mean in at least 95 % of cases.
 */
void app_mean_widen(app_mean *mean, double half_width);

/** Add @p by to its high end, or, if below 0, to its low end; of a range, nothing. For an error of
 * known sign that all values share, such as half of what a slowdown still changes by
 * (statistics/halves.h). */
void app_mean_stretch(app_mean *mean, double by);
