/* apps/ripple/findings/slowdown_table.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The table of slowdowns, cell by cell: as text and on a page it is the same.
 */
#pragma once

#include "experiment/experiment_results.h"
#include "report/page.h"

#include <stdio.h>

/**
 * A row for each series: time, mean slowdown with its interval or range, median, replicas and
 * passes, detours met of the component that is met least often, remarks; below it, what the columns
 * are. At most 120 columns wide.
 */
void app_slowdown_table_print(const app_results *results, FILE *out);
/** The same on a page. */
void app_slowdown_table_add(const app_results *results, app_page *page);
