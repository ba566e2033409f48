/* apps/ripple/database/sweep_database_open.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_database, test_sweep_guard. */
/*
 * Opening a database, finding out whose it is, and closing: below what writes (sweep_database.c)
 * and what reads (sweep_database_read.c).
 */
#include "database/sweep_database_private.h"
#include "database/sweep_guard.h"
#include "output/error.h"
#include "ripple_version.h"

#include <glib/gstdio.h>
#include <stdlib.h>

enum { PATIENCE_MS = 10000 }; /* with another process that has the database locked */
/* Not count(*), which SQLite does in one step, however long that takes: see sweep_guard.h. */
#define COUNT_RESULTS "SELECT count(point) FROM results"

bool app_sweep_database_refuse(const app_sweep_database *d, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *why = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: %s", d->sql.path, why);
    return false;
}

bool app_sweep_database_number(const app_sweep_database *d, const char *command, int64_t *out,
                               GError **error)
{
    sqlite3_stmt *statement = app_sql_prepare(&d->sql, command, error);
    const int code = statement != NULL ? app_sql_step(&d->sql, statement, error) : -1;
    *out = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    (void)sqlite3_finalize(statement);
    return code >= 0;
}

bool app_sweep_database_identify(app_sweep_database *d, GError **error)
{
    int64_t tables;
    int64_t application;
    int64_t version;
    if (!app_sweep_database_number(d, "SELECT count(name) FROM sqlite_master", &tables, error) ||
        !app_sweep_database_number(d, "PRAGMA application_id", &application, error) ||
        !app_sweep_database_number(d, "PRAGMA user_version", &version, error)) {
        return false;
    }
    d->has_study = tables > 0;
    if (tables > 0 && application != APP_SQL_APPLICATION) {
        return app_sweep_database_refuse(d, error, "a database, but not one of a sweep");
    }
    if (tables > 0 && version != APP_SQL_VERSION) {
        return app_sweep_database_refuse(d, error,
                                         "its tables have version %" G_GINT64_FORMAT
                                         ", this ripple (" RIPPLE_VERSION ") reads version %d",
                                         version, APP_SQL_VERSION);
    }
    return tables == 0 || app_sweep_guard_check_tables(&d->sql, error);
}

app_sweep_database *app_sweep_database_open_file(const char *path, int flags,
                                                 app_sweep_claims *claims, GError **error)
{
    app_sweep_database *d = g_new0(app_sweep_database, 1);
    d->sql.path = g_strdup(path);
    d->claims = claims;
    d->made = !g_file_test(path, G_FILE_TEST_EXISTS);
    bool ok = app_sweep_guard_open(&d->sql, flags, error);
    if (ok) {
        (void)sqlite3_busy_timeout(d->sql.handle, PATIENCE_MS);
        ok = app_sweep_database_identify(d, error);
    }
    if (!ok) {
        app_sweep_database_close(d);
        return NULL;
    }
    return d;
}

bool app_sweep_database_run(const app_sweep_database *d, sqlite3_stmt *statement, GError **error)
{
    const int code = app_sql_step(&d->sql, statement, error);
    (void)sqlite3_reset(statement);
    return code >= 0;
}

char *app_sweep_database_meta(app_sweep_database *d, const char *name, GError **error)
{
    sqlite3_stmt *statement =
        app_sql_prepare(&d->sql, "SELECT value FROM meta WHERE name = ?", error);
    if (statement == NULL) {
        return NULL;
    }
    (void)sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    const int code = app_sql_step(&d->sql, statement, error);
    char *value =
        code == SQLITE_ROW ? g_strdup((const char *)sqlite3_column_text(statement, 0)) : NULL;
    (void)sqlite3_finalize(statement);
    if (code == SQLITE_DONE) {
        (void)app_sweep_database_refuse(d, error, "its table meta has no %s", name);
    }
    return value;
}

int64_t app_sweep_database_count_done(app_sweep_database *d, GError **error)
{
    int64_t n;
    return app_sweep_database_number(d, COUNT_RESULTS, &n, error) ? n : -1;
}

static void close_handle(app_sweep_database *d)
{
    sqlite3_stmt **const statements[] = {&d->add_point,    &d->get_point,    &d->is_done,
                                         &d->add_result,   &d->add_makespan, &d->add_component,
                                         &d->add_condition};
    for (size_t i = 0; i < G_N_ELEMENTS(statements); i++) {
        (void)sqlite3_finalize(*statements[i]);
        *statements[i] = NULL;
    }
    app_sweep_guard_close(&d->sql);
}

/* By what is in it, which others may have brought meanwhile. */
static bool has_no_results(const app_sweep_database *d)
{
    int64_t n = 0;
    return app_sweep_database_number(d, "SELECT count(name) FROM sqlite_master", &n, NULL) &&
           (n == 0 || (app_sweep_database_number(d, COUNT_RESULTS, &n, NULL) && n == 0));
}

/* The file itself: where that is behind a link, the link was there before. */
static void remove_file(const char *path)
{
    char *file = realpath(path, NULL);
    if (file != NULL) {
        (void)g_unlink(file);
    }
    free(file);
}

void app_sweep_database_close(app_sweep_database *d)
{
    if (d != NULL) {
        const bool needless = d->made && d->claims != NULL && d->sql.handle != NULL &&
                              app_sweep_claims_alone(d->claims) && has_no_results(d);
        close_handle(d);
        if (needless) {
            remove_file(d->sql.path);
        }
        app_sweep_claims_close(d->claims);
        g_free(d->sql.path);
        g_free(d);
    }
}

const app_sweep_claims *app_sweep_database_claims(const app_sweep_database *d)
{
    return d->claims;
}
