/* bench/sc10/figures.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Figures 1, 5, 6 and 7 of the paper, from our runs, and what else there is, in one page with the
 * table of checks.
 */
#pragma once

#include "lab.h"
#include "table.h"

/** Behind them, on the same page. */
typedef bool sc10_more_figures(void *data, app_page *page, const char *folder, GError **error);

/**
 * Write them into @p folder, which is there.
 * @param command that repeats it all
 * @param collectives those figures, too: all of their cases are run for them
 */
bool sc10_draw_figures(sc10_lab *lab, const sc10_table *table, const char *command,
                       const char *folder, bool collectives, sc10_more_figures *more, void *data,
                       GError **error);
