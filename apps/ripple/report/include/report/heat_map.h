/* report/heat_map.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Heat maps: one value as a function of two others, shown as the colour of a field.
 */
#pragma once

#include "report/axis.h"
#include "report/chart.h"

#include <stdbool.h>

typedef struct app_heat_map {
    const char *name; /* of the files, [a-z0-9-]+ */
    const char *title;
    const char *caption;
    app_axis x;
    app_axis y;
    app_axis z;
    const double *xs; /* [num_x] ascending; columns are equally wide */
    size_t num_x;
    const double *ys; /* [num_y] ascending */
    size_t num_y;
    const double *zs;   /* [num_y][num_x]; NAN: the field stays empty */
    const bool *marked; /* [num_y][num_x] these have a star beside their number, or instead of it
                         * where fields are too small for numbers, and a column in the CSV; NULL:
                         * none has */
} app_heat_map;

/** @return owned by the caller */
app_chart *app_heat_map_new(const app_heat_map *map);
