/* apps/ripple/database/sweep_database_read.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_database, test_sweep_guard. */
#include "database/sweep_database_private.h"
#include "output/error.h"

#include <errno.h>
#include <glib/gstdio.h>

/* What is there instead of a file? NULL: it is one. */
static const char *what_else(const char *path)
{
    GStatBuf info;
    if (g_stat(path, &info) != 0) {
        return errno == ENOENT ? "there is no such file" : g_strerror(errno);
    }
    if (S_ISREG(info.st_mode)) {
        return NULL;
    }
    return S_ISDIR(info.st_mode) ? "a folder, not a database of a sweep"
                                 : "a device or a pipe, not a database of a sweep";
}

app_sweep_database *app_sweep_database_read(const char *path, GError **error)
{
    const char *instead = what_else(path);
    if (instead != NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: %s", path, instead);
        return NULL;
    }
    /* A sweep that was killed leaves a journal, and rolling it back is writing. */
    g_autoptr(app_sweep_database) d =
        app_sweep_database_open_file(path, SQLITE_OPEN_READWRITE, NULL, error);
    if (d == NULL) {
        return NULL;
    }
    if (!d->has_study) {
        (void)app_sweep_database_refuse(d, error, "not a database of a sweep");
        return NULL;
    }
    return g_steal_pointer(&d);
}

bool app_sweep_database_axes(app_sweep_database *d, int position[APP_NUM_PARAMETERS],
                             GError **error)
{
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        position[id] = -1;
    }
    sqlite3_stmt *statement =
        app_sql_prepare(&d->sql, "SELECT parameter, position FROM axes", error);
    int code = statement != NULL ? SQLITE_ROW : -1;
    while (code == SQLITE_ROW && (code = app_sql_step(&d->sql, statement, error)) == SQLITE_ROW) {
        app_cells cells = {
            .sql = &d->sql, .row = statement, .table = "axes", .num_keys = 1, .error = error};
        const char *name = app_cell_text(&cells, 0);
        const int64_t at = app_cell_integer(&cells, 1, 0, APP_NUM_PARAMETERS - 1);
        const app_parameter_id id = app_parameter_find(name != NULL ? name : "", NULL);
        if (!cells.bad && id == APP_NUM_PARAMETERS) {
            app_cell_refuse(&cells, 0, "there is no such parameter");
        }
        if (cells.bad) {
            code = -1;
        } else {
            position[id] = (int)at;
        }
    }
    (void)sqlite3_finalize(statement);
    return code == SQLITE_DONE;
}

static void measurement_free(gpointer data)
{
    noise_provenance_free(data);
}

/* Owned by the caller; NULL where there is none. */
static char *text_at(app_cells *cells, int column)
{
    return app_cell_is_null(cells, column) ? NULL : g_strdup(app_cell_text(cells, column));
}

static noise_provenance *read_measurement(app_cells *cells)
{
    noise_provenance *p = g_new0(noise_provenance, 1);
    p->path = g_strdup(app_cell_text(cells, 0));
    if (!app_cell_is_null(cells, 1)) {
        p->validity =
            app_cell_integer(cells, 1, 0, 1) != 0 ? NOISE_VALIDITY_VALID : NOISE_VALIDITY_INVALID;
    }
    p->verdict = text_at(cells, 2);
    p->length = app_cell_integer(cells, 3, 0, SIM_TIME_MAX);
    p->num_runs = (size_t)app_cell_integer(cells, 4, 0, INT64_MAX);
    p->clock = text_at(cells, 5);
    p->host = text_at(cells, 6);
    p->kernel = text_at(cells, 7);
    return p;
}

GPtrArray *app_sweep_database_measurements(app_sweep_database *d, GError **error)
{
    sqlite3_stmt *row =
        app_sql_prepare(&d->sql,
                        "SELECT path, valid, verdict, length_ps, runs, clock, host, kernel "
                        "FROM measurements ORDER BY path",
                        error);
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(measurement_free);
    int code = row != NULL ? SQLITE_ROW : -1;
    while (code == SQLITE_ROW && (code = app_sql_step(&d->sql, row, error)) == SQLITE_ROW) {
        app_cells cells = {
            .sql = &d->sql, .row = row, .table = "measurements", .num_keys = 1, .error = error};
        g_ptr_array_add(all, read_measurement(&cells));
        code = cells.bad ? -1 : code;
    }
    (void)sqlite3_finalize(row);
    return code == SQLITE_DONE ? g_steal_pointer(&all) : NULL;
}

/* Columns of a row of points followed by those of results. */
static bool read_row(const app_result_reader *reader, sqlite3_stmt *row, app_sweep_row *call,
                     void *data, GError **error)
{
    const app_sql *sql = &reader->database->sql;
    const size_t point = (size_t)sqlite3_column_int64(row, 0);
    const int first = 1 + APP_NUM_PARAMETERS; /* of results, which begin with the point */
    g_auto(app_sweep_result) result = {0};
    app_sweep_value effective[APP_NUM_PARAMETERS];
    app_cells cells = {.sql = sql, .row = row, .table = "points", .num_keys = 1, .error = error};
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        app_sweep_database_get_value(&cells, id + 1, (app_parameter_id)id, &effective[id]);
    }
    const bool done = sqlite3_column_type(row, first) != SQLITE_NULL;
    bool ok = !cells.bad;
    if (ok && done) {
        cells.table = "results";
        ok = app_result_reader_read(reader, &cells, first + 1,
                                    (uint32_t)effective[APP_PARAMETER_RANKS].number, &result);
    }
    if (ok) {
        call(data, point, effective, done ? &result : NULL);
    }
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        g_free(effective[id].text);
    }
    return ok;
}

bool app_sweep_database_each(app_sweep_database *d, app_sweep_row *row, void *data, GError **error)
{
    app_result_reader reader = {0};
    sqlite3_stmt *rows = app_sql_prepare(&d->sql,
                                         "SELECT points.*, results.* FROM points LEFT JOIN results "
                                         "ON results.point = points.point ORDER BY points.point",
                                         error);
    int code = rows != NULL && app_result_reader_open(&reader, d, error) ? SQLITE_ROW : -1;
    int64_t last = -1;
    while (code == SQLITE_ROW && (code = app_sql_step(&d->sql, rows, error)) == SQLITE_ROW) {
        const int64_t point = sqlite3_column_int64(rows, 0);
        if (point <= last || point >= APP_SWEEP_MOST_POINTS) {
            (void)app_sweep_database_refuse(
                d, error, "damaged: point %" G_GINT64_FORMAT " after %" G_GINT64_FORMAT, point,
                last);
            code = -1;
            break;
        }
        last = point;
        if (!read_row(&reader, rows, row, data, error)) {
            code = -1;
        }
    }
    app_result_reader_close(&reader);
    (void)sqlite3_finalize(rows);
    return code == SQLITE_DONE;
}
