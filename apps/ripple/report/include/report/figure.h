/* report/figure.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A figure is four files side by side: its data as CSV, the gnuplot script that draws them, and the
 * two SVGs that it draws: NAME.svg for paper and wide screens, NAME-narrow.svg for a column or a
 * telephone. Without gnuplot there are only the first two.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

/** What gnuplot is told for one of the two widths. */
typedef struct app_drawing {
    int width; /* px */
    int height;
    char *script; /* commands after terminal, output, separator and colours are set */
} app_drawing;

typedef struct app_figure {
    const char *name;    /* of the files: [a-z0-9-]+ */
    const char *title;   /* plain text, for who cannot see it; the scripts draw it */
    const char *caption; /* what the reader sees in it; plain text */
    const char *csv;     /* the data, header line included */
    app_drawing wide;
    app_drawing narrow;
} app_figure;

/** Is gnuplot on the PATH? */
bool app_figure_can_draw(void);

/**
 * Write the files of @p figure into @p folder (which exists) and draw it.
 * @param drawn both drawings as HTML for a page (app_page_figure()), owned by the caller; NULL
 *              where gnuplot is absent
 * @return false with an error that names the file, or what gnuplot said
 */
bool app_figure_write(const app_figure *figure, const char *folder, char **drawn, GError **error);
