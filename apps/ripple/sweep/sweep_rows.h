/* apps/ripple/sweep/sweep_rows.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The table of points, cell by cell: as text and on the page it is the same. All is owned by the
 * caller.
 */
#pragma once

#include "database/sweep_table.h"

/** The varied parameters, ideal; with noise: slowdown, its interval, median, runs, detours met,
 * remarks. NULL-terminated. */
char **app_sweep_rows_head(const app_sweep_table *table);
/** @param point is done  @param noisy there is noise in the table */
char **app_sweep_rows_cells(const app_sweep_table *table, const app_sweep_point *point, bool noisy);
/** The last of its cells: "not valid, few met". @param result under noise */
char *app_sweep_rows_remarks(const app_sweep_result *result);
/** What the columns are, a line each. NULL-terminated. */
char **app_sweep_rows_legend(const app_sweep_table *table);
/** "ranks=1Mi, noise=jaguar": where that point lies; "" where nothing is varied. */
char *app_sweep_rows_place(const app_sweep_table *table, const app_sweep_point *point);
/**
 * What low and high of these points are: "95 % interval", "range", or "95 % interval, range"; NULL:
 * neither, there is one replica of each.
 * @param points [n] borrowed  @return static
 */
const char *app_sweep_rows_interval(const app_sweep_point *const *points, size_t n);
/** The points that are done and under noise. Borrows them. */
GPtrArray *app_sweep_rows_noisy(const app_sweep_table *table);
