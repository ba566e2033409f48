/* apps/ripple/database/sweep_guard.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "database/sweep_guard.h"

#include "output/error.h"
#include "ripple_version.h"

#include <glib/gstdio.h>
#include <string.h>

enum {
    STEPS = 10000,          /* of SQLite's machine between two looks at how much it was */
    MOST_TEXT = 1 << 23,    /* bytes: a study file has at most 2^20 */
    ALWAYS_ALLOWED = 1000,  /* looks that a command takes at most, and ... */
    BYTES_FOR_ANOTHER = 256 /* ... one more for so many: whole tables take one for some 5000 */
};

/* SQLite calls this within long commands. @return not 0: that is enough */
static int look(void *data)
{
    const app_sql *sql = data;
    GStatBuf info;
    const int64_t size = g_stat(sql->path, &info) == 0 ? info.st_size : 0;
    return ++*sql->looks > ALWAYS_ALLOWED + size / BYTES_FOR_ANOTHER;
}

bool app_sweep_guard_open(app_sql *sql, int flags, GError **error)
{
    static const struct {
        int name;
        int value;
    } RULES[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
    };
    /* Not as it is: "" and ":memory:" are no files to SQLite, "file:..." says how to open one. */
    g_autofree char *path =
        g_path_is_absolute(sql->path) ? g_strdup(sql->path) : g_strconcat("./", sql->path, NULL);
    if (sqlite3_open_v2(path, &sql->handle, flags, NULL) != SQLITE_OK) {
        return app_sql_fail(sql, error);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(RULES); i++) {
        (void)sqlite3_db_config(sql->handle, RULES[i].name, RULES[i].value, NULL);
    }
    sql->looks = g_new0(int64_t, 1);
    (void)sqlite3_limit(sql->handle, SQLITE_LIMIT_LENGTH, MOST_TEXT);
    sqlite3_progress_handler(sql->handle, STEPS, look, sql);
    return app_sql_run(sql, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", error);
}

/* The command that made a table, as it is kept. Owned by the caller; NULL: there is none, or an
 * error. */
static char *command_of(const app_sql *sql, const char *table, GError **error)
{
    sqlite3_stmt *statement = app_sql_prepare(
        sql, "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", error);
    if (statement == NULL) {
        return NULL;
    }
    (void)sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
    char *command = app_sql_step(sql, statement, error) == SQLITE_ROW
                        ? g_strdup((const char *)sqlite3_column_text(statement, 0))
                        : NULL;
    (void)sqlite3_finalize(statement);
    return command;
}

static bool check_table(const app_sql *sql, const char *table, const char *wanted, GError **error)
{
    GError *cause = NULL;
    g_autofree char *command = command_of(sql, table, &cause);
    if (cause != NULL) {
        g_propagate_error(error, cause);
        return false;
    }
    if (g_strcmp0(command, wanted) != 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "%s: '%s' is not a table as ripple " RIPPLE_VERSION " makes it", sql->path,
                    table);
        return false;
    }
    return true;
}

void app_sweep_guard_close(app_sql *sql)
{
    (void)sqlite3_close(sql->handle); /* rolls back what is open */
    sql->handle = NULL;
    g_clear_pointer(&sql->looks, g_free);
}

bool app_sweep_guard_check_tables(const app_sql *sql, GError **error)
{
    app_sql model = {.path = sql->path};
    g_autofree char *tables = app_sql_tables();
    sqlite3_stmt *each = NULL;
    bool ok =
        (sqlite3_open(":memory:", &model.handle) == SQLITE_OK || app_sql_fail(&model, error)) &&
        app_sql_run(&model, tables, error);
    if (ok) {
        each = app_sql_prepare(&model, "SELECT name, sql FROM sqlite_master WHERE type = 'table'",
                               error);
        ok = each != NULL;
    }
    int code = SQLITE_DONE;
    while (ok && (code = app_sql_step(&model, each, error)) == SQLITE_ROW) {
        ok = check_table(sql, (const char *)sqlite3_column_text(each, 0),
                         (const char *)sqlite3_column_text(each, 1), error);
    }
    (void)sqlite3_finalize(each);
    (void)sqlite3_close(model.handle);
    return ok && code == SQLITE_DONE;
}
