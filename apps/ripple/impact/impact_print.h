/* apps/ripple/impact/impact_print.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file What rows cost, as text, CSV, JSON and lines of the page. */
#pragma once

#include "impact/impact.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

void app_impact_print(const app_impact *impact, const noise_miner_report *report, FILE *out);
/** Columns behind those of the rows: names, then each row's values. */
extern const char *const APP_IMPACT_CSV;
/** "64,0.031,...", for app_miner_report_print_csv(). [num_rows + 1], owned by the caller. */
char **app_impact_csv_rows(const app_impact *impact);
/** The member "impact". */
void app_impact_build(const app_impact *impact, JsonBuilder *builder);
/** "without it the job gains 3.1 % …" of each row. [num_rows + 1], owned by the caller. */
char **app_impact_lines(const app_impact *impact);
/** What the gains stand on. NULL-terminated, owned by the caller. */
char **app_impact_conditions(const app_impact *impact);
