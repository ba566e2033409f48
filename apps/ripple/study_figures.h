/* apps/ripple/study_figures.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The figures of an experiment, made from its results.
 */
#pragma once

#include "experiment.h"
#include "report/figure.h"

typedef struct app_figure_data {
    app_figure figure; /* points into the two below */
    char *csv;
    char *script;
} app_figure_data;
void app_figure_data_free(app_figure_data *data); /* NULL is a no-op */

/** Median slowdown over ranks, with its confidence interval; NULL without noise. */
app_figure_data *app_figure_slowdown(const app_results *results);
/** The replicas of every noisy series as box plots; NULL without noise. */
app_figure_data *app_figure_replicas(const app_results *results);
/** Stacked bars: the parts of each makespan; NULL if none was recorded. */
app_figure_data *app_figure_where(const app_results *results);
