/* apps/ripple/statistics/statistics_box.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Statistics of makespans as a box in a figure: the same numbers that tables give.
 */
#pragma once

#include "report/box_plot.h"
#include "statistics/statistics.h"

/**
 * In ns; group and series are left to the caller.
 * @param times of @p values [n], in any order
 * @param kept gets what the box borrows; frees with g_free()
 */
app_box_sample app_statistics_box(const app_statistics *times, const sim_time *values, size_t n,
                                  GPtrArray *kept);
