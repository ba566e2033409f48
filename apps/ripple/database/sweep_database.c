/* apps/ripple/database/sweep_database.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "database/sweep_database_private.h"

#include "output/error.h"
#include "ripple_version.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* SQLite writes its journal beside the database, and says little where it cannot. */
static bool check_place(const char *path, GError **error)
{
    if (path[0] == '\0' || strcmp(path, ":memory:") == 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--output: '%s' is no file: results would be lost with the command", path);
        return false;
    }
    g_autofree char *folder = g_path_get_dirname(path);
    if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
        g_set_error(error, APP_ERROR, APP_ERROR_OUTPUT, "%s: a folder; -o wants a file", path);
        return false;
    }
    if (g_access(folder, W_OK | X_OK) != 0) {
        const int code = errno;
        g_set_error(error, APP_ERROR, APP_ERROR_OUTPUT,
                    "%s: its folder, where a journal goes as well: %s", path, g_strerror(code));
        return false;
    }
    return true;
}

app_sweep_database *app_sweep_database_open(const char *path, GError **error)
{
    if (!check_place(path, error)) {
        return NULL;
    }
    g_autoptr(app_sweep_database) d = app_sweep_database_open_file(
        path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, app_sweep_claims_open(path), error);
    if (d == NULL) {
        return NULL;
    }
    if (d->has_study) {
        g_autofree char *version = app_sweep_database_meta(d, "ripple_version", error);
        if (version == NULL) {
            return NULL;
        }
        if (strcmp(version, RIPPLE_VERSION) != 0) {
            (void)app_sweep_database_refuse(d, error,
                                            "made by ripple %s; this is " RIPPLE_VERSION
                                            ", whose results may differ: give another file with -o",
                                            version);
            return NULL;
        }
    }
    /* A write that changes nothing: can a transaction be made here, its journal included? */
    if (!app_sql_run(&d->sql, "BEGIN IMMEDIATE; PRAGMA user_version = 0; ROLLBACK", error)) {
        return NULL;
    }
    return g_steal_pointer(&d);
}

static bool prepare_all(app_sweep_database *d, GError **error)
{
    g_autoptr(GString) add_point = g_string_new("INSERT INTO points VALUES (?");
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        g_string_append(add_point, ", ?");
    }
    g_string_append_c(add_point, ')');
    const struct {
        sqlite3_stmt **statement;
        const char *command;
    } rows[] = {
        {&d->add_point, add_point->str},
        {&d->get_point, "SELECT * FROM points WHERE point = ?"},
        {&d->is_done, "SELECT 1 FROM results WHERE point = ?"},
        {&d->add_result, "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                         "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
        {&d->add_makespan, "INSERT INTO makespans VALUES (?, ?, ?)"},
        {&d->add_component,
         "INSERT OR REPLACE INTO components VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
        {&d->add_condition, "INSERT OR REPLACE INTO conditions VALUES (?, ?, ?, ?, ?, ?)"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        *rows[i].statement = app_sql_prepare(&d->sql, rows[i].command, error);
        if (*rows[i].statement == NULL) {
            return false;
        }
    }
    return true;
}

/* Text into two or more columns of a new row of a table. */
static bool add_texts(const app_sweep_database *d, const char *command, const char *const *texts,
                      GError **error)
{
    sqlite3_stmt *statement = app_sql_prepare(&d->sql, command, error);
    if (statement == NULL) {
        return false;
    }
    for (int i = 0; texts[i] != NULL; i++) {
        (void)sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_STATIC);
    }
    const int code = app_sql_step(&d->sql, statement, error);
    (void)sqlite3_finalize(statement);
    return code >= 0;
}

static bool add_axes(const app_sweep_database *d, const app_sweep_study *study, GError **error)
{
    for (guint i = 0; i < study->axes->len; i++) {
        const app_sweep_axis *axis = g_ptr_array_index(study->axes, i);
        g_autofree char *position = g_strdup_printf("%u", i);
        for (size_t j = 0; j < axis->num_parameters; j++) {
            const app_parameter_id id = axis->parameters[j];
            const char *const texts[] = {position, app_parameters[id].name,
                                         app_parameters[id].column, study->swept[id], NULL};
            if (!add_texts(d, "INSERT INTO axes VALUES (CAST(? AS INTEGER), ?, ?, ?)", texts,
                           error)) {
                return false;
            }
        }
    }
    return true;
}

static bool begin_new(app_sweep_database *d, const app_sweep_study *study, GError **error)
{
    g_autofree char *tables = app_sql_tables();
    g_autofree char *text = app_sweep_study_text(study);
    const char *const meta[][3] = {
        {"schema", APP_SQL_SCHEMA, NULL},
        {"ripple_version", RIPPLE_VERSION, NULL},
        {"title", study->title != NULL ? study->title : "", NULL},
        {"study", text, NULL},
    };
    if (!app_sql_run(&d->sql, tables, error)) {
        return false;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(meta); i++) {
        if (!add_texts(d, "INSERT INTO meta VALUES (?, ?)", meta[i], error)) {
            return false;
        }
    }
    return add_axes(d, study, error);
}

bool app_sweep_database_begin(app_sweep_database *d, const app_sweep_study *study, GError **error)
{
    /* Another process may have made the tables meanwhile: look again, now that it cannot. */
    size_t num_points;
    if (!app_sweep_study_count(study, &num_points, error) ||
        !app_sql_run(&d->sql, "BEGIN IMMEDIATE", error) || !app_sweep_database_identify(d, error)) {
        return false;
    }
    d->comparing = d->has_study;
    int64_t there = 0;
    if (d->comparing &&
        !app_sweep_database_number(d, "SELECT count(point) FROM points", &there, error)) {
        return false;
    }
    if (d->comparing && (size_t)there != num_points) {
        return app_sweep_database_refuse(d, error,
                                         "holds another study: it has %" G_GINT64_FORMAT
                                         " points, this one %zu; give another file with -o",
                                         there, num_points);
    }
    return (d->comparing || begin_new(d, study, error)) && prepare_all(d, error);
}

bool app_sweep_database_add_input(app_sweep_database *d, const char *path, const char *sha256,
                                  GError **error)
{
    const char *const texts[] = {path, sha256, NULL};
    if (!d->comparing) {
        return add_texts(d, "INSERT OR REPLACE INTO inputs VALUES (?, ?)", texts, error);
    }
    sqlite3_stmt *statement =
        app_sql_prepare(&d->sql, "SELECT sha256 FROM inputs WHERE path = ?", error);
    if (statement == NULL) {
        return false;
    }
    (void)sqlite3_bind_text(statement, 1, path, -1, SQLITE_STATIC);
    const int code = app_sql_step(&d->sql, statement, error);
    const char *there = code == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    bool ok = code >= 0;
    if (ok && g_strcmp0(there, sha256) != 0) {
        ok = app_sweep_database_refuse(d, error,
                                       there != NULL
                                           ? "%s has changed since; give another file with -o"
                                           : "holds another study: one without %s; give another "
                                             "file with -o",
                                       path);
    }
    (void)sqlite3_finalize(statement);
    return ok;
}

bool app_sweep_database_add_measurement(app_sweep_database *d, const noise_provenance *p,
                                        GError **error)
{
    if (d->comparing) { /* with the same input */
        return true;
    }
    sqlite3_stmt *statement = app_sql_prepare(
        &d->sql, "INSERT OR REPLACE INTO measurements VALUES (?, ?, ?, ?, ?, ?, ?, ?)", error);
    if (statement == NULL) {
        return false;
    }
    const char *const texts[] = {p->path, NULL,     p->verdict, NULL,
                                 NULL,    p->clock, p->host,    p->kernel};
    for (int i = 0; i < (int)G_N_ELEMENTS(texts); i++) { /* NULL binds NULL */
        (void)sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_STATIC);
    }
    if (p->validity != NOISE_VALIDITY_UNKNOWN) {
        (void)sqlite3_bind_int(statement, 2, p->validity == NOISE_VALIDITY_VALID);
    }
    (void)sqlite3_bind_int64(statement, 4, p->length);
    (void)sqlite3_bind_int64(statement, 5, (sqlite3_int64)p->num_runs);
    const int code = app_sql_step(&d->sql, statement, error);
    (void)sqlite3_finalize(statement);
    return code >= 0;
}

static char *format_value(app_parameter_id id, const app_sweep_value *value)
{
    if (!value->has) {
        return g_strdup("none");
    }
    return value->text != NULL ? g_strdup(value->text) : app_parameter_format(id, value->number);
}

/* Does the current row of get_point say the same? */
static bool compare_point(const app_sweep_database *d, size_t point,
                          const app_sweep_value effective[], GError **error)
{
    app_cells cells = {
        .sql = &d->sql, .row = d->get_point, .table = "points", .num_keys = 1, .error = error};
    bool same = true;
    for (int id = 0; same && id < APP_NUM_PARAMETERS; id++) {
        app_sweep_value there;
        app_sweep_database_get_value(&cells, id + 1, (app_parameter_id)id, &there);
        if (cells.bad) {
            g_free(there.text);
            return false;
        }
        same = there.has == effective[id].has && there.number == effective[id].number &&
               g_strcmp0(there.text, effective[id].text) == 0;
        if (!same) {
            g_autofree char *old = format_value((app_parameter_id)id, &there);
            g_autofree char *new = format_value((app_parameter_id)id, &effective[id]);
            (void)app_sweep_database_refuse(
                d, error,
                "holds another study: in its point %zu, %s is %s, not %s; give another "
                "file with -o",
                point, app_parameters[id].name, old, new);
        }
        g_free(there.text);
    }
    return same;
}

bool app_sweep_database_add_point(app_sweep_database *d, size_t point,
                                  const app_sweep_value effective[APP_NUM_PARAMETERS],
                                  GError **error)
{
    if (!d->comparing) {
        (void)sqlite3_bind_int64(d->add_point, 1, (sqlite3_int64)point);
        for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
            app_sweep_database_bind_value(d->add_point, id + 2, (app_parameter_id)id,
                                          &effective[id]);
        }
        return app_sweep_database_run(d, d->add_point, error);
    }
    (void)sqlite3_bind_int64(d->get_point, 1, (sqlite3_int64)point);
    const int code = app_sql_step(&d->sql, d->get_point, error);
    bool ok = code == SQLITE_ROW && compare_point(d, point, effective, error);
    if (code == SQLITE_DONE) {
        ok = app_sweep_database_refuse(d, error, "damaged: it has no point %zu", point);
    }
    (void)sqlite3_reset(d->get_point);
    return ok;
}

bool app_sweep_database_commit(app_sweep_database *d, GError **error)
{
    if (!app_sql_run(&d->sql, "COMMIT", error)) {
        return false;
    }
    d->has_study = true;
    return true;
}

int app_sweep_database_is_done(app_sweep_database *d, size_t point, GError **error)
{
    (void)sqlite3_bind_int64(d->is_done, 1, (sqlite3_int64)point);
    const int code = app_sql_step(&d->sql, d->is_done, error);
    (void)sqlite3_reset(d->is_done);
    return code < 0 ? -1 : code == SQLITE_ROW;
}
