/* apps/ripple/sweep/sweep_print.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The points of a sweep as a table for people, as CSV and as JSON.
 */
#pragma once

#include "database/sweep_table.h"
#include "output/result.h"

#include <stdio.h>

/** Prints an app_sweep_table: a row for each point that is done. */
extern const app_result_writer app_sweep_writer;

/** What is grave, the conditions, and what the sweep comes to, in lines. */
void app_sweep_print_statements(const app_sweep_table *table, FILE *out);
