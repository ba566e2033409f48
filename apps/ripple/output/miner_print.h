/* apps/ripple/output/miner_print.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "noise/miner.h"
#include "output/context.h"
#include "output/output.h"

/** Names of the columns of the table. NULL-terminated. */
extern const char *const APP_MINER_COLUMNS[];
/** A row of it for people, a cell for each column. NULL-terminated, owned by the caller. */
char **app_miner_row_cells(const noise_miner_report *report, const noise_miner_row *row);
/**
 * A row as a component of --noise: what is periodic as "fixed", else "poisson" of the same rate, on
 * its ranks where not all have it.
 * @return owned by the caller; NULL where it cannot be said: a bound, negative noise, no rate, a
 * list of ranks that is cut off
 */
char *app_miner_row_noise(const noise_miner_report *report, const noise_miner_row *row);
/** All rows of @p report that can be said, joined by '+'; NULL: none. Owned by the caller. */
char *app_miner_noise(const noise_miner_report *report);
/** The table of noise found, for people. "No noise found" is said plainly. */
void app_miner_report_print(const noise_miner_report *report, FILE *out);
/**
 * A row for each row, also of what is shorter than expected.
 * @param more_columns behind the others: "gain,level"; NULL: none
 * @param more [num_rows] what they hold; rows that are shorter than expected have nothing there
 */
void app_miner_report_print_csv(const noise_miner_report *report, const char *more_columns,
                                const char *const *more, FILE *out);
/** Add the member "noise_found" and its totals to the object being built. */
void app_miner_report_build(const noise_miner_report *report, JsonBuilder *builder);
