/* report/curves.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Curves with a band around each: estimates and their intervals over a number.
 */
#pragma once

#include "report/axis.h"
#include "report/chart.h"

#include <stdbool.h>

typedef struct app_curve_point {
    double x;
    double y;
    double low; /* of the band; low = high = y: none */
    double high;
    bool hollow;        /* drawn hollow: it does not stand on enough */
    const char *remark; /* in the CSV, where the points have remarks; NULL: none */
} app_curve_point;

typedef struct app_curve {
    const char *name;              /* in the legend */
    const app_curve_point *points; /* [num_points] x ascending */
    size_t num_points;
} app_curve;

typedef struct app_curves {
    const char *name; /* of the files, [a-z0-9-]+ */
    const char *title;
    const char *caption;
    app_axis x;
    app_axis y;
    const char *series_name; /* in the CSV: "noise" */
    const char *band_name;   /* in the legend: "95 % interval of the mean"; NULL: not there */
    const char *hollow_name; /* in the legend, where a point is hollow: "few detours met"; not NULL:
                              * the CSV has columns for hollow and remark */
    const app_curve *curves;
    size_t num_curves;
} app_curves;

/** @return owned by the caller */
app_chart *app_curves_new(const app_curves *curves);
