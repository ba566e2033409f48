/* measure/measure_figures.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Detours as figures, like Figure 1 of Hoefler, Schneider, Lumsdaine, SC'10. Each is owned by the
 * caller; NULL where there is nothing to draw.
 */
#pragma once

#include "measure/measure_analysis.h"
#include "report/chart.h"

/** Length of each detour over time, coloured by source. */
app_chart *app_measure_figure_detours(const app_measure_analysis *analysis);
/** Detours per second by length. */
app_chart *app_measure_figure_lengths(const app_measure_analysis *analysis);
/** Detours per second that are at least so long. */
app_chart *app_measure_figure_ccdf(const app_measure_analysis *analysis);
/** Times from start to start. */
app_chart *app_measure_figure_gaps(const app_measure_analysis *analysis);
/** The spectrum of run @p cpu, where it has one. */
app_chart *app_measure_figure_spectrum(const app_measure_analysis *analysis, size_t cpu);
