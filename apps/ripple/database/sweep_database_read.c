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
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        const app_parameter_id id = app_parameter_find(name != NULL ? name : "", NULL);
        if (id == APP_NUM_PARAMETERS) {
            (void)app_sweep_database_refuse(d, error, "damaged: axis «%s»", name);
            code = -1;
        } else {
            position[id] = sqlite3_column_int(statement, 1);
        }
    }
    (void)sqlite3_finalize(statement);
    return code == SQLITE_DONE;
}

static void measurement_free(gpointer data)
{
    noise_provenance_free(data);
}

static char *text_at(sqlite3_stmt *row, int column)
{
    return g_strdup((const char *)sqlite3_column_text(row, column));
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
        noise_provenance *p = g_new0(noise_provenance, 1);
        p->path = text_at(row, 0);
        if (sqlite3_column_type(row, 1) != SQLITE_NULL) {
            p->validity =
                sqlite3_column_int(row, 1) != 0 ? NOISE_VALIDITY_VALID : NOISE_VALIDITY_INVALID;
        }
        p->verdict = text_at(row, 2);
        p->length = sqlite3_column_int64(row, 3);
        p->num_runs = (size_t)sqlite3_column_int64(row, 4);
        p->clock = text_at(row, 5);
        p->host = text_at(row, 6);
        p->kernel = text_at(row, 7);
        g_ptr_array_add(all, p);
    }
    (void)sqlite3_finalize(row);
    return code == SQLITE_DONE ? g_steal_pointer(&all) : NULL;
}

static app_mode mode_of(const char *name)
{
    int mode = APP_IDEAL;
    while (mode < APP_NUM_MODES - 1 && g_strcmp0(name, app_mode_name((app_mode)mode)) != 0) {
        mode++;
    }
    return (app_mode)mode;
}

/* The makespans of a point, in order. */
static bool read_makespans(const app_sweep_database *d, sqlite3_stmt *statement, size_t point,
                           GArray *makespans, GError **error)
{
    g_array_set_size(makespans, 0);
    (void)sqlite3_bind_int64(statement, 1, (sqlite3_int64)point);
    int code;
    while ((code = app_sql_step(&d->sql, statement, error)) == SQLITE_ROW) {
        if (sqlite3_column_int64(statement, 1) != makespans->len) {
            (void)app_sweep_database_refuse(d, error,
                                            "damaged: replicas of point %zu are missing, or there "
                                            "several times",
                                            point);
            code = -1;
            break;
        }
        const sim_time makespan = sqlite3_column_int64(statement, 0);
        g_array_append_val(makespans, makespan);
    }
    (void)sqlite3_reset(statement);
    return code >= 0;
}

/* Columns of a row of points followed by those of results. */
static bool read_row(const app_sweep_database *d, sqlite3_stmt *row, sqlite3_stmt *makespans,
                     app_sweep_row *call, void *data, GError **error)
{
    const size_t point = (size_t)sqlite3_column_int64(row, 0);
    const int first = 1 + APP_NUM_PARAMETERS; /* of results */
    g_auto(app_sweep_result) result = {0};
    const bool done = sqlite3_column_type(row, first) != SQLITE_NULL;
    if (done) {
        g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(sim_time));
        if (!read_makespans(d, makespans, point, values, error)) {
            return false;
        }
        if (values->len == 0) {
            return app_sweep_database_refuse(d, error, "damaged: point %zu has no makespans",
                                             point);
        }
        result.mode = mode_of((const char *)sqlite3_column_text(row, first));
        result.operations = (uint64_t)sqlite3_column_int64(row, first + 1);
        result.messages = (uint64_t)sqlite3_column_int64(row, first + 2);
        result.ideal = sqlite3_column_int64(row, first + 3);
        app_sweep_result_summarize(&result, (const sim_time *)(gconstpointer)values->data,
                                   values->len);
    }
    app_sweep_value effective[APP_NUM_PARAMETERS];
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        app_sweep_database_get_value(row, id + 1, (app_parameter_id)id, &effective[id]);
    }
    call(data, point, effective, done ? &result : NULL);
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        g_free(effective[id].text);
    }
    return true;
}

bool app_sweep_database_each(app_sweep_database *d, app_sweep_row *row, void *data, GError **error)
{
    sqlite3_stmt *rows = app_sql_prepare(
        &d->sql,
        "SELECT points.*, mode, operations, messages, ideal_ps FROM points LEFT JOIN results "
        "USING (point) ORDER BY point",
        error);
    sqlite3_stmt *makespans =
        rows != NULL ? app_sql_prepare(&d->sql,
                                       "SELECT makespan_ps, replica FROM makespans WHERE point = ? "
                                       "ORDER BY replica",
                                       error)
                     : NULL;
    int code = makespans != NULL ? SQLITE_ROW : -1;
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
        if (!read_row(d, rows, makespans, row, data, error)) {
            code = -1;
        }
    }
    (void)sqlite3_finalize(makespans);
    (void)sqlite3_finalize(rows);
    return code == SQLITE_DONE;
}
