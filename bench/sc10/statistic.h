/* bench/sc10/statistic.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Statistics of series of runs that several experiments look at, for sc10_bootstrap().
 */
#pragma once

#include "bootstrap.h"

double sc10_median_slowdown(const sc10_times *times);

/** The largest median slowdown of all series. */
sc10_statistic sc10_largest_slowdown;
/** The median slowdown of the first series over that of the second. */
sc10_statistic sc10_ratio_of_slowdowns;
/** The same of medians. */
sc10_statistic sc10_ratio_of_medians;
