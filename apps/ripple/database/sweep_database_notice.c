/* apps/ripple/database/sweep_database_notice.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_database, cli_sweep. */
/* What was dropped, assumed or inferred of programs: into the database and out of it. */
#include "database/sweep_database_private.h"

static void notice_clear(gpointer data)
{
    g_free(((app_sweep_notice *)data)->what);
}

GArray *app_sweep_notices_new(void)
{
    GArray *notices = g_array_new(FALSE, FALSE, sizeof(app_sweep_notice));
    g_array_set_clear_func(notices, notice_clear);
    return notices;
}

bool app_sweep_database_add_notice(app_sweep_database *d, const app_sweep_notice *notice,
                                   GError **error)
{
    if (d->comparing) { /* of the same inputs */
        return true;
    }
    sqlite3_stmt *statement =
        app_sql_prepare(&d->sql, "INSERT OR REPLACE INTO notices VALUES (?, ?, ?)", error);
    if (statement == NULL) {
        return false;
    }
    (void)sqlite3_bind_text(statement, 1, notice->what, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int64(statement, 2, (sqlite3_int64)notice->count);
    (void)sqlite3_bind_int64(statement, 3, (sqlite3_int64)notice->points);
    const int code = app_sql_step(&d->sql, statement, error);
    (void)sqlite3_finalize(statement);
    return code >= 0;
}

GArray *app_sweep_database_notices(app_sweep_database *d, GError **error)
{
    sqlite3_stmt *row =
        app_sql_prepare(&d->sql, "SELECT what, count, points FROM notices ORDER BY what", error);
    g_autoptr(GArray) all = app_sweep_notices_new();
    app_cells cells = {
        .sql = &d->sql, .row = row, .table = "notices", .num_keys = 1, .error = error};
    int code = row != NULL ? SQLITE_ROW : -1;
    while (code == SQLITE_ROW && (code = app_sql_step(&d->sql, row, error)) == SQLITE_ROW) {
        const app_sweep_notice notice = {
            .what = g_strdup(app_cell_text(&cells, 0)),
            .count = (uint64_t)app_cell_integer(&cells, 1, 0, INT64_MAX),
            .points = (uint64_t)app_cell_integer(&cells, 2, 0, APP_SWEEP_MOST_POINTS)};
        g_array_append_val(all, notice);
        code = cells.bad ? -1 : code;
    }
    (void)sqlite3_finalize(row);
    return code == SQLITE_DONE ? g_steal_pointer(&all) : NULL;
}
