/* report/drawing_html.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From what gnuplot draws to what a page can hold: as part of the page a drawing has tooltips and
 * the colours of the page, light or dark. All texts are owned by the caller.
 */
#pragma once

/** @p svg with <title> elements in place of gnuplot's hypertext, which asks for its JavaScript. */
char *app_drawing_with_tooltips(const char *svg);
/**
 * The <svg> element alone, its ids those of @p id only, its colours by name (--c1, --ink).
 * @param svg with tooltips  @param title for who cannot see it
 */
char *app_drawing_html(const char *svg, const char *id, const char *title);
/** The style that gives the colours their values: to stand once in each page. Static. */
const char *app_drawing_style(void);
