/* apps/ripple/sweep/sweep_figures.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The figures that suit a study: curves over each numeric dimension, box plots over the main one,
 * heat maps over the main one and each other numeric one. What does not fit into one figure (too
 * many curves or boxes to tell apart) becomes several; the first, the middle and the last value of
 * a numeric dimension then represent all.
 */
#pragma once

#include "report/chart.h"
#include "sweep/sweep_space.h"

/** @p left_out: how many figures there would have been more. @return of app_chart; owned */
GPtrArray *app_sweep_figures_new(const app_sweep_space *space, size_t *left_out);
