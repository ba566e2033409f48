/* bench/sc10/apps/app_figures.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Figures 8, 9 and 10 of the paper, of what has been run.
 */
#pragma once

#include "app_lab.h"
#include "report/page.h"
#include "table.h"

/** Write those whose experiments were run, with rows in @p table, into @p folder, and put them on
 * @p page. */
bool sc10_draw_app_figures(sc10_app_lab *lab, const sc10_table *table, app_page *page,
                           const char *folder, GError **error);
