/* apps/ripple/scores/score_figures.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file The figures of a score. Charts are owned by the caller. */
#pragma once

#include "report/chart.h"
#include "scores/score.h"

/** The metric of each rank; NULL: none was judged. */
app_chart *app_score_metric_figure(const app_score *score);
/** ILS of the sequences of @p rank over time; NULL: no course was kept, or none was judged. */
app_chart *app_score_ils_figure(const app_score *score, uint32_t rank);
