/* apps/ripple/findings/breakdown_table.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Where the time of each size and mode goes, as a table; which sizes have no breakdown, and why,
 * said once; and, where it was asked for, what bounds each run.
 */
#pragma once

#include "experiment/experiment_results.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

/** The table, and below it what is missing. */
void app_breakdown_table_print(const app_results *results, FILE *out);

/**
 * "Where the time goes is not known from 64Ki ranks on: not recorded, more than ...", or of which
 * sizes, where larger ones have it. Owned by the caller; NULL: nothing is missing.
 */
char *app_breakdown_missing(const app_results *results);
/** Add "breakdown_missing", with "ranks" and "why", to the object being built, where some are. */
void app_breakdown_build_missing(const app_results *results, JsonBuilder *builder);

/** Is any run explained? */
bool app_explanations_are_there(const app_results *results);
/** What bounds each run that is explained. */
void app_explanations_print(const app_results *results, FILE *out);
