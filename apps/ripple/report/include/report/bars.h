/* report/bars.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Stacked bars in groups: what a time consists of, side by side for several kinds of runs.
 */
#pragma once

#include "report/axis.h"
#include "report/chart.h"

/** A place along the horizontal axis. */
typedef struct app_bar_group {
    const char *label;  /* "1Ki" */
    const char *number; /* in the CSV: "1024" */
} app_bar_group;

/** Bars of one kind have one place in each group, and a letter below it. */
typedef struct app_bar_series {
    const char *name; /* "unsynchronized" */
    char letter;      /* 'u' */
} app_bar_series;

typedef struct app_bar {
    size_t group;
    size_t series;
    const double *parts; /* [num_parts] >= 0, from the lowest up, in the unit of the y axis */
} app_bar;

typedef struct app_bars {
    const char *name; /* of the files, [a-z0-9-]+ */
    const char *title;
    const char *caption;
    const char *group_name;  /* below the figure and in the CSV: "ranks" */
    const char *series_name; /* in the CSV: "noise" */
    app_axis y;
    const app_bar_group *groups;
    size_t num_groups;
    const app_bar_series *series; /* [num_series] */
    size_t num_series;
    const char *const *parts; /* [num_parts] names, also of the columns of the CSV */
    size_t num_parts;
    const app_bar *bars; /* [num_bars] at most one of each group and series */
    size_t num_bars;
} app_bars;

/**
 * The CSV has a row for each bar and all parts; those that are 0 in all bars are not in the legend.
 * @return owned by the caller
 */
app_chart *app_bars_new(const app_bars *bars);
