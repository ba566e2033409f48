/* report/layout.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Where things are on a drawing, in pixels: title and note above the plot, ticks, name of the axis
 * and legend below it. The plot keeps its height whatever stands around it: the drawing grows.
 */
#pragma once

#include "report/figure.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    APP_LETTER = 7,       /* px of one letter, on average, rounded up */
    APP_LINE_HEIGHT = 18, /* px */
};

typedef struct app_layout {
    bool narrow;
    int width; /* px, of the drawing */
    int left;  /* px beside and above the plot */
    int right;
    int top;
    int ticks;  /* px below the plot: of the labels of the ticks */
    int bottom; /* of all that is below the plot; set by app_layout_append() */
    int below;  /* px at the lower end, for what the caller draws there */
    int plot_height;
    char **title; /* lines */
    char **note;
} app_layout;

typedef enum { APP_KEY_LINE, APP_KEY_FIELD, APP_KEY_DASHES } app_key_mark;

typedef struct app_key_item {
    const char *name;
    app_key_mark mark;
    size_t colour; /* a line type of gnuplot's, from 1 */
} app_key_item;

/** @param note what the vertical axis, bands and marks are; below the title */
app_layout app_layout_new(bool narrow, const char *title, const char *note);
void app_layout_clear(app_layout *layout);
/** px between the sides of the plot. */
int app_layout_plot_width(const app_layout *layout);
int app_layout_height(const app_layout *layout);
/** px that @p text takes, roughly; never too few. */
int app_layout_text_width(const char *text);
/**
 * Room for the legend, and what draws it, the name of the horizontal axis, title, note and margins.
 * The other members are as they will stay.
 */
void app_layout_append(GString *script, app_layout *layout, const char *x_label,
                       const app_key_item *items, size_t n);
/** "set label 'text' at screen ..., LOOK\n": @p x, @p y in px from the left and upper end. */
void app_layout_label(GString *script, const app_layout *layout, const char *text, double x,
                      double y, const char *look);
