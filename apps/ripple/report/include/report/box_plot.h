/* report/box_plot.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Box plots side by side, e.g. the makespans of many replicas over the number of ranks: boxes with
 * whiskers, circles for what lies beyond, and a line for the value without noise. The caller says
 * where boxes and whiskers end.
 */
#pragma once

#include "report/axis.h"
#include "report/chart.h"

/** A place along the horizontal axis; places are equally far apart, in the order given. */
typedef struct app_box_group {
    const char *label;  /* "1Ki" */
    double reference;   /* the line's height here; NAN: none */
    const char *number; /* in the CSV, where the label is a number: "1024"; NULL: the label */
} app_box_group;

/** The values that one box sums up, in the unit of the y axis. */
typedef struct app_box_sample {
    size_t group;
    size_t series;
    size_t num_values; /* > 0 */
    double whisker_low;
    double quartile1;
    double median;
    double quartile3;
    double whisker_high;
    const double *outliers; /* [num_outliers] beyond the whiskers, ascending */
    size_t num_outliers;
} app_box_sample;

typedef struct app_box_plot {
    const char *name; /* of the files, [a-z0-9-]+ */
    const char *title;
    const char *caption;
    const char *group_name;  /* below the figure and in the CSV: "ranks" */
    const char *series_name; /* in the CSV: "noise" */
    app_axis y;
    const char *reference_name; /* in the legend: "no noise" */
    const app_box_group *groups;
    size_t num_groups;
    const char *const *series; /* [num_series] what each is called; one colour each */
    size_t num_series;
    const app_box_sample *samples; /* at most one of each group and series */
    size_t num_samples;
} app_box_plot;

/**
 * The CSV has a row for each box, one for each circle, one for each point of the line; column "at"
 * is its place in the figure.
 * @return owned by the caller
 */
app_chart *app_box_plot_new(const app_box_plot *plot);
