/* apps/ripple/database/sweep_cell.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Values read from a database that may come from anywhere: what cannot be (a NULL where a number
 * must be, a negative number of ranks, a probability of 2) is refused, by table, row and column.
 */
#pragma once

#include "database/sweep_sql.h"

/**
 * The row that is being read. After the first value that cannot be, "bad" is set and the error;
 * what is read then, and afterwards, is the least that is allowed, or NULL.
 */
typedef struct app_cells {
    const app_sql *sql;
    sqlite3_stmt *row;
    const char *table; /* as errors call it */
    int num_keys;      /* the first columns of the row, which tell it from others */
    GError **error;
    bool bad;
} app_cells;

bool app_cell_is_null(const app_cells *cells, int column);
/** A whole number from @p least to @p most. */
int64_t app_cell_integer(app_cells *cells, int column, int64_t least, int64_t most);
/** A number from @p least to @p most, both of which may be infinite; never NaN. */
double app_cell_real(app_cells *cells, int column, double least, double most);
/** Text. Borrowed until the next step of the row. */
const char *app_cell_text(app_cells *cells, int column);
/** Which of @p words [NULL-terminated] it is. */
int app_cell_choice(app_cells *cells, int column, const char *const *words);
/** Refuse the value for a reason of the caller's: "there are 4 makespans". */
void app_cell_refuse(app_cells *cells, int column, const char *why);
