/* report/short_marks.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file What a page leaves out of gnuplot's drawings: two thirds of those with many marks. */
#pragma once

/**
 * The same picture in fewer bytes: kind, size and colour of marks stand once, and groups that hold
 * nothing are left out.
 * @param html lines, as of a drawing on a page
 * @param id   of the drawing, unique on the page
 * @return owned by the caller
 */
char *app_drawing_shorten(const char *html, const char *id);
