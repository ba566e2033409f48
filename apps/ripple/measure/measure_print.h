/* measure/measure_print.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * An analysis of detours as text, CSV (a row for each source) and members of a JSON object.
 */
#pragma once

#include "measure/measure_analysis.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

enum { APP_MEASURE_COLUMNS = 10 };
/** The table of sources, here and on the page. */
extern const char *const APP_MEASURE_COLUMN[APP_MEASURE_COLUMNS + 1];
/** The cells of source @p s. Owned by the caller. */
char **app_measure_row(const app_measure_analysis *analysis, size_t s);
/** "noise 2.3 % of the time ..." one sentence. Owned by the caller. */
char *app_measure_headline(const app_measure_analysis *analysis);
/** "lengths: half 190.3ns (...), ..." or NULL without detours. Owned by the caller. */
char *app_measure_lengths(const app_measure_analysis *analysis);

/** The table of sources, and how each is told. @param last [APP_MEASURE_COLUMNS] one row more, or
 * NULL */
void app_measure_print_sources(const app_measure_analysis *analysis, const char *const *last,
                               FILE *out);
void app_measure_print(const app_measure_analysis *analysis, FILE *out);
void app_measure_print_csv(const app_measure_analysis *analysis, FILE *out);
void app_measure_build(const app_measure_analysis *analysis, JsonBuilder *builder);
