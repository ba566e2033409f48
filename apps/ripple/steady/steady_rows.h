/* apps/ripple/steady/steady_rows.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which series become rows of the results. Where Ripple itself chose the sizes, what has not
 * settled is none of them.
 */
#pragma once

#include "experiment/experiment_results.h"

/** Has it settled, as well as was asked for? Of series with noise. */
bool app_steady_row_is_settled(const app_series *series);
/** The series of that size and mode, or NULL. @param series of app_series */
const app_series *app_steady_rows_find(const GArray *series, uint32_t ranks, app_mode mode);
/** Co-scheduled runs that are no check of another size, or NULL. */
app_series *app_steady_rows_find_cosched(GArray *series);

/**
 * Drop series with noise that have not settled, and ideal ones of sizes of which nothing else is
 * left. If no unsynchronized one has settled, that of the smallest size remains: it says how far it
 * came.
 */
void app_steady_rows_keep_settled(GArray *series);

/** Move all into results, by size and mode. */
app_results *app_steady_rows_take(GArray *series);
