/* apps/ripple/analysis/analysis_print.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * An analysis as text, CSV and JSON. docs/results.md lists columns and members.
 */
#pragma once

#include "analysis/analysis.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

/** All but the path itself; @p most of the ranks. */
void app_analysis_print(const app_analysis *analysis, const char *label, size_t most, FILE *out);
/** The path, latest first, as the record tells it. @return false as sim_run_record_walk_path() */
bool app_analysis_print_path(const sim_run_record *record, FILE *out, GError **error);

void app_analysis_breakdown_csv(const app_analysis *analysis, FILE *out);
void app_analysis_types_csv(const app_analysis *analysis, FILE *out);
void app_analysis_ranks_csv(const app_analysis *analysis, FILE *out);
void app_analysis_operations_csv(const app_analysis *analysis, FILE *out);
void app_analysis_causes_csv(const app_analysis *analysis, FILE *out);
void app_analysis_waits_csv(const app_analysis *analysis, FILE *out);
/** Columns as of app_analysis_operations_csv(). */
bool app_analysis_path_csv(const sim_run_record *record, FILE *out, GError **error);

/** Add members to the object being built; @p most of the ranks. */
void app_analysis_build(const app_analysis *analysis, const char *label, size_t most,
                        JsonBuilder *builder);
/** Add the member "path". */
bool app_analysis_build_path(const sim_run_record *record, JsonBuilder *builder, GError **error);
