/* apps/ripple/findings/experiment_figures.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The figures of an experiment, made from its results. Each caption says under which conditions it
 * holds. Owned by the caller.
 */
#pragma once

#include "findings/findings.h"
#include "report/chart.h"

/** Under noise no run took a picosecond longer or less than without: there is nothing to draw of
 * it. */
bool app_figures_flat(const app_findings *findings);
/** Mean slowdown over ranks, with its interval; NULL without noise, or if no size says anything. */
app_chart *app_figure_slowdown(const app_findings *findings);
/** The makespans of every noisy series as box plots; NULL without noise. */
app_chart *app_figure_replicas(const app_findings *findings);
/** Stacked bars: the parts of each makespan; NULL if none was recorded. */
app_chart *app_figure_where(const app_findings *findings);
