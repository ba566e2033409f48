/* report/scatter.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Clouds of many points, e.g. the length of each detour over time. Points that would lie on one
 * another are drawn once: the plot is divided into fields of the size of a mark, and each field
 * that has points has one mark. Which fields are marked is exact; how many points one stands for
 * is in the CSV, not in the drawing. Where there are few marks they are larger.
 */
#pragma once

#include "report/axis.h"
#include "report/chart.h"

typedef struct app_cloud {
    const char *name; /* in the legend */
    const double *xs; /* [n] in the unit of the x axis */
    const double *ys; /* [n] in that of the y axis */
    size_t n;
} app_cloud;

typedef struct app_scatter {
    const char *name; /* of the files, [a-z0-9-]+ */
    const char *title;
    const char *caption; /* how points are thinned is added to it, where they are */
    app_axis x;
    app_axis y;
    const char *series_name; /* in the CSV: "source" */
    const app_cloud *clouds; /* the later ones lie above the earlier ones */
    size_t num_clouds;       /* <= 8, as many as there are colours */
    /** [num_rows] names of y = 1, 2, … from below, in place of numbers: each a line of points.
     * NULL: the y axis has numbers. */
    const char *const *rows;
    size_t num_rows;
} app_scatter;

enum { APP_SCATTER_COLUMNS = 300, APP_SCATTER_ROWS = 90 }; /* fields of the plot */

/**
 * The CSV has a row for each mark: x and y of the first of its points, and how many there are. A
 * file stays below some 2 MB whatever the points: at most one mark for each field and cloud.
 * O(points).
 * @return owned by the caller
 */
app_chart *app_scatter_new(const app_scatter *scatter);
