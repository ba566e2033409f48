/* report/line_labels.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The names of curves at their ends, in place of a legend: apart from each other, where they fit.
 */
#pragma once

#include "layout.h"

/** A name, and how high above the lower end of the plot its curve ends: 0 to 1. */
typedef struct app_line_label {
    const char *name;
    size_t colour; /* a line type of gnuplot's, from 1 */
    double height;
} app_line_label;

/** px to the right of the plot that the labels take; 0: they do not fit, a legend is better. */
int app_line_labels_width(const app_layout *layout, const app_line_label *labels, size_t n);
/** Beside the plot of @p layout, which is done. Moves the heights apart, in place. */
void app_line_labels_append(GString *script, const app_layout *layout, app_line_label *labels,
                            size_t n);
