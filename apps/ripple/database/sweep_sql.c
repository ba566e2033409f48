/* apps/ripple/database/sweep_sql.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_database, test_sweep_guard. */
#include "database/sweep_sql.h"

#include "output/error.h"
#include "study/sweep_parameter.h"

#include <string.h>

bool app_sql_fail(const app_sql *sql, GError **error)
{
    const int code = sqlite3_errcode(sql->handle);
    const int system = sqlite3_system_errno(sql->handle);
    if ((code & 0xff) == SQLITE_NOTADB) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: not a database of a sweep", sql->path);
        return false;
    }
    if ((code & 0xff) == SQLITE_INTERRUPT) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "%s: damaged: it takes longer to read than its size explains", sql->path);
        return false;
    }
    const bool disk = (code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN;
    if (disk && system == 0) { /* SQLite does not say which; a file that may not grow is one */
        g_set_error(error, APP_ERROR, APP_ERROR_OUTPUT, "%s: cannot be written: %s", sql->path,
                    sqlite3_errmsg(sql->handle));
        return false;
    }
    g_set_error(error, APP_ERROR, APP_ERROR_OUTPUT, "%s: %s", sql->path,
                disk ? g_strerror(system) : sqlite3_errmsg(sql->handle));
    return false;
}

/* A command begins: the guard counts anew. */
static void begin(const app_sql *sql)
{
    if (sql->looks != NULL) {
        *sql->looks = 0;
    }
}

bool app_sql_run(const app_sql *sql, const char *commands, GError **error)
{
    begin(sql);
    return sqlite3_exec(sql->handle, commands, NULL, NULL, NULL) == SQLITE_OK ||
           app_sql_fail(sql, error);
}

sqlite3_stmt *app_sql_prepare(const app_sql *sql, const char *command, GError **error)
{
    sqlite3_stmt *statement = NULL;
    begin(sql);
    if (sqlite3_prepare_v2(sql->handle, command, -1, &statement, NULL) != SQLITE_OK) {
        (void)app_sql_fail(sql, error);
    }
    return statement;
}

int app_sql_step(const app_sql *sql, sqlite3_stmt *statement, GError **error)
{
    if (sqlite3_stmt_busy(statement) == 0) {
        begin(sql);
    }
    const int code = sqlite3_step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        (void)app_sql_fail(sql, error);
        return -1;
    }
    return code;
}

static const char *column_type(app_kind kind)
{
    switch (kind) {
    case APP_KIND_TEXT:
    case APP_KIND_CHOICE:
        return "TEXT";
    case APP_KIND_RATE:
        return "REAL";
    default:
        return "INTEGER";
    }
}

char *app_sql_tables(void)
{
    GString *sql = g_string_new(
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;\n"
        "CREATE TABLE inputs (path TEXT PRIMARY KEY, sha256 TEXT NOT NULL) WITHOUT ROWID;\n"
        "CREATE TABLE measurements (path TEXT PRIMARY KEY REFERENCES inputs, valid INTEGER,"
        " verdict TEXT, length_ps INTEGER NOT NULL, runs INTEGER NOT NULL, clock TEXT, host TEXT,"
        " kernel TEXT) WITHOUT ROWID;\n"
        "CREATE TABLE notices (what TEXT PRIMARY KEY, count INTEGER NOT NULL,"
        " points INTEGER NOT NULL) WITHOUT ROWID;\n"
        "CREATE TABLE axes (position INTEGER, parameter TEXT, column_name TEXT NOT NULL,"
        " axis TEXT NOT NULL, PRIMARY KEY (position, parameter)) WITHOUT ROWID;\n"
        "CREATE TABLE points (point INTEGER PRIMARY KEY");
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        g_string_append_printf(sql, ", %s %s", app_parameters[id].column,
                               column_type(app_parameters[id].kind));
    }
    g_string_append(
        sql,
        ");\n"
        "CREATE TABLE results (point INTEGER PRIMARY KEY REFERENCES points, mode TEXT NOT NULL,"
        " quantity TEXT NOT NULL, passes INTEGER NOT NULL,"
        " operations INTEGER, messages INTEGER, runs INTEGER, ideal_ps INTEGER,"
        " min_ps INTEGER, whisker_low_ps INTEGER, quartile1_ps INTEGER, median_ps INTEGER,"
        " quartile3_ps INTEGER, whisker_high_ps INTEGER, p95_ps INTEGER, p99_ps INTEGER,"
        " max_ps INTEGER, mean_ps INTEGER, outliers INTEGER,"
        " ci_low_ps INTEGER, ci_high_ps INTEGER, ci_level REAL,"
        " slowdown REAL, slowdown_low REAL, slowdown_high REAL, slowdown_level REAL,"
        " slowdown_method TEXT, slowdown_median REAL, met_by_rank REAL, met_by_run REAL,"
        " noise_origin TEXT, remarks TEXT);\n"
        "CREATE TABLE components (point INTEGER REFERENCES points, component INTEGER,"
        " name TEXT NOT NULL, origin TEXT NOT NULL, source TEXT, ranks INTEGER NOT NULL,"
        " interval_ps REAL, length_ps REAL NOT NULL, share REAL NOT NULL, by_rank REAL NOT NULL,"
        " by_run REAL NOT NULL, PRIMARY KEY (point, component)) WITHOUT ROWID;\n"
        "CREATE TABLE conditions (point INTEGER REFERENCES points, condition INTEGER,"
        " code TEXT NOT NULL, grave INTEGER NOT NULL, text TEXT NOT NULL, brief TEXT NOT NULL,"
        " PRIMARY KEY (point, condition)) WITHOUT ROWID;\n"
        "CREATE TABLE makespans (point INTEGER REFERENCES points, replica INTEGER,"
        " makespan_ps INTEGER, PRIMARY KEY (point, replica)) WITHOUT ROWID;\n"
        "CREATE VIEW done AS SELECT * FROM points JOIN results USING (point);\n");
    g_string_append_printf(sql, "PRAGMA application_id = %d;\nPRAGMA user_version = %d;\n",
                           APP_SQL_APPLICATION, APP_SQL_VERSION);
    return g_string_free(sql, FALSE);
}
