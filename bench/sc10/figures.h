/* bench/sc10/figures.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Figures 1, 5, 6 and 7 of the paper, from our runs, in one page with the table of checks.
 */
#pragma once

#include "lab.h"
#include "table.h"

/** Write them into @p folder, which is there. @param command that repeats it all */
bool sc10_draw_figures(sc10_lab *lab, const sc10_table *table, const char *command,
                       const char *folder, GError **error);
