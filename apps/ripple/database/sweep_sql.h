/* apps/ripple/database/sweep_sql.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * SQLite's errors as GError, and the tables of a sweep as SQL.
 */
#pragma once

#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>

enum { APP_SQL_APPLICATION = 0x52697070, APP_SQL_VERSION = 8 }; /* "Ripp"; of the tables */
#define APP_SQL_SCHEMA "ripple.sweep/6"

/** A database and the name that errors give it. */
typedef struct app_sql {
    sqlite3 *handle;
    char *path;
    int64_t *looks; /* of sweep_guard.h, since a command began; NULL: it is not guarded */
} app_sql;

/** The error that SQLite had last. @return false */
bool app_sql_fail(const app_sql *sql, GError **error);
/** Run commands that return nothing. */
bool app_sql_run(const app_sql *sql, const char *commands, GError **error);
/** @return NULL with an error; sqlite3_finalize() it */
sqlite3_stmt *app_sql_prepare(const app_sql *sql, const char *command, GError **error);
/** Take a step. @return SQLITE_ROW, SQLITE_DONE, or -1 with an error */
int app_sql_step(const app_sql *sql, sqlite3_stmt *statement, GError **error);
/** The commands that make all tables. Owned by the caller. */
char *app_sql_tables(void);
