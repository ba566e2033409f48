/* report/figure.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A figure is three files side by side: its data as CSV, the gnuplot script that draws them, and
 * the SVG that it draws. Without gnuplot there are only the first two.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct app_figure {
    const char *name;    /* of the files: NAME.csv, NAME.gp, NAME.svg; [a-z0-9-]+ */
    const char *title;   /* above the figure; plain text */
    const char *caption; /* what the reader sees in it; plain text */
    const char *csv;     /* the data, header line included */
    const char *script;  /* gnuplot commands after terminal, output and separator are set */
} app_figure;

/** Is gnuplot on the PATH? */
bool app_figure_can_draw(void);

/**
 * Write the files of @p figure into @p folder (which exists) and draw it.
 * @param svg the drawing, owned by the caller; NULL where gnuplot is absent
 * @return false with an error that names the file, or what gnuplot said
 */
bool app_figure_write(const app_figure *figure, const char *folder, char **svg, GError **error);
