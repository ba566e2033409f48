/* apps/ripple/database/sweep_guard.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A database comes from elsewhere, like any file: it may hold commands of its own (views, triggers,
 * expressions in tables), and pages that never end. None of them is run here, and nothing takes
 * longer than a file of its size can need.
 */
#pragma once

#include "database/sweep_sql.h"

/**
 * Open the file at @p sql's path, which stays where it is until it is closed. To be closed after an
 * error, too.
 * @param flags of sqlite3_open_v2()
 */
bool app_sweep_guard_open(app_sql *sql, int flags, GError **error);
void app_sweep_guard_close(app_sql *sql);
/** Are all tables there just as app_sql_tables() makes them? */
bool app_sweep_guard_check_tables(const app_sql *sql, GError **error);
