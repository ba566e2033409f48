/* apps/ripple/findings/experiment_figures.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The figures of an experiment, made from its results. Owned by the caller.
 */
#pragma once

#include "experiment/experiment.h"
#include "report/chart.h"

/** Median slowdown over ranks, with its confidence interval; NULL without noise. */
app_chart *app_figure_slowdown(const app_results *results);
/** The makespans of every noisy series as box plots; NULL without noise. */
app_chart *app_figure_replicas(const app_results *results);
/** Stacked bars: the parts of each makespan; NULL if none was recorded. */
app_chart *app_figure_where(const app_results *results);
