/* apps/ripple/knockout/knockout_print.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A knock-out as text, CSV and JSON.
 */
#pragma once

#include "knockout/knockout.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

/** Columns of the tables, text and page. */
enum { APP_KNOCKOUT_COLUMNS = 7, APP_KNOCKOUT_PAIR_COLUMNS = 6 };

extern const char *const app_knockout_head[APP_KNOCKOUT_COLUMNS + 1];
extern const char *const app_knockout_pair_head[APP_KNOCKOUT_PAIR_COLUMNS + 1];
/** @param cells [APP_KNOCKOUT_COLUMNS + 1] owned by the caller, the last NULL */
void app_knockout_cells(const app_knockout *knockout, const app_knockout_gain *gain, char **cells);
/** @param cells [APP_KNOCKOUT_PAIR_COLUMNS + 1] likewise */
void app_knockout_pair_cells(const app_knockout *knockout, const app_knockout_gain *pair,
                             char **cells);
/** "unsynchronized at 16Ki ranks: slowdown 34.1 % with all, 10 replicas". Owned by the caller. */
char *app_knockout_table_title(const app_knockout_table *table);

void app_knockout_print(const app_knockout *knockout, FILE *out);
/** A row for each gain, and each pair. */
void app_knockout_print_csv(const app_knockout *knockout, FILE *out);
/** A member @p name: mean, low, high, level. */
void app_knockout_build_mean(const char *name, const app_mean *mean, JsonBuilder *builder);
/** The member "knock_out". */
void app_knockout_build(const app_knockout *knockout, JsonBuilder *builder);
