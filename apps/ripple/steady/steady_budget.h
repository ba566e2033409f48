/* apps/ripple/steady/steady_budget.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The wall time for all sizes together: which of them it has room for, and how it is dealt out.
 * All times in s.
 */
#pragma once

#include "steady/steady_size.h"

/** Beyond the budget by as much of itself, at most: a size that is almost affordable is begun. */
#define APP_STEADY_OVER 0.1

/** The least runs of a size that give an interval; and one spare, to be on the safe side. */
#define APP_STEADY_FEWEST 5

/** The sizes asked for, or, to find a threshold, all doublings between the smallest and the
 * largest.
 * @return [n] owned by the caller, from the smallest up */
uint32_t *app_steady_choose_sizes(const app_experiment *x, bool bisect, size_t *n);
/** In which order they are begun: from the smallest up; if only settled ones are wanted, from the
 * one up that takes least to settle, so that as many as possible do. Does not depend on the clock.
 * @param sizes [n] from the smallest up  @return [n] owned by the caller */
size_t *app_steady_order(const app_steady_size *sizes, size_t n, const app_steady_pace *pace);

/** What a size costs if it gets as few replicas as give an interval, of one pass. */
double app_steady_least(const app_steady_size *size, const app_steady_pace *pace);
/**
 * Has @p budget, of which @p left is left (less than 0: it was exceeded), room for one run of a
 * pass in each mode, and for the breakdown? If only settled sizes are wanted: is there, of what is
 * left, as much as that will take, about? `--explain` is asked for beyond the budget, and not
 * counted.
 */
bool app_steady_has_room(double budget, double left, const app_steady_size *size,
                         const app_steady_pace *pace);
/** What a size may have though the others used up the budget: five replicas are worth more than to
 * keep exactly to it. */
double app_steady_floor(double budget, double left, const app_steady_size *size,
                        const app_steady_pace *pace);
/**
 * The part of @p left for the first of sizes that come one after the other. Where there is too
 * little for all of them, those that take least have what they will take, as many as it is enough
 * for, since half settled is worth little; the others share the rest. The last has what the budget
 * may be exceeded by, too. Those that there will be no room for take nothing. If only settled sizes
 * are wanted: all of it, and what it may be exceeded by.
 * @param sizes [n >= 1] from the smallest up
 */
double app_steady_part(double budget, double left, const app_steady_size *sizes, size_t n,
                       const app_steady_pace *pace);
