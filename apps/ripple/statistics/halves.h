/* apps/ripple/statistics/halves.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Has a slowdown settled over the length of the runs? The first half of them is compared with the
 * second, in every replica.
 *
 * Let s1 and s2 be the slowdowns of the halves, which take equally long without noise. Then the
 * estimate is (s1 + s2) / 2. If what still changes lies in the first half, s2 is the steady value
 * and the estimate is wrong by d / 2, d = s2 - s1. Of d only the mean over replicas is known, with
 * its standard error e. Settled, for a half width h that was asked for, means both
 *
 *   |d| <= h + e   no difference is seen beyond h, and
 *   e / 2 <= h     one that made the estimate wrong by much more than h would be seen.
 *
 * Where the halves are independent and nothing changes, each has twice the variance of the
 * estimate, so d has four times, and e = 2 h / t once the interval of the estimate (t standard
 * errors to either side) is as narrow as h. Then the first condition is |d| <= (t / 2 + 1) e: it
 * refuses 7 % of settled runs with 5 replicas, 5 % with 20 or more; and the second holds as t > 1.
 * Where phases are locked, replicas differ but their halves do not, and e is small.
 *
 * What both halves have missed does not differ between them: settled says nothing of detours that
 * were too rare to be met (docs/model.md, section 9.3).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct app_halves {
    double difference;     /* second less first, mean over replicas */
    double standard_error; /* of it; INFINITY with one replica */
    bool is_settled;       /* never with one replica: nothing says what is chance */
} app_halves;

/**
 * Slowdown of both halves of one replica, sum of noisy increments / sum of ideal ones - 1.
 * @param noisy, ideal [n] how long each slice took, in one unit, without the warm-up
 * @param unit slices that belong together, >= 1 (those of one pass): a half has a whole number of
 *   units, so that both are the same program; what is over is left out at the beginning
 * @return false, nothing set: there are no two units, or a half takes no time
 */
bool app_halves_split(const double *noisy, const double *ideal, size_t n, size_t unit,
                      double *first, double *second);

/**
 * @param first, second [n] of each replica, n > 0
 * @param half_width > 0, absolute: in the unit of the slowdowns
 */
app_halves app_halves_of(const double *first, const double *second, size_t n, double half_width);

/** By how much the steady value lies above the estimate, if what changed lies in the first half:
 * d / 2; 0 where d is not known to be more than chance: |d| <= 2 e. */
double app_halves_off_by(double difference, double standard_error);
