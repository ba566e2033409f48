/* apps/ripple/database/sweep_database_result.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_database, test_sweep_cell. */
/*
 * The result of a point out of the tables. The statistics of the makespans are computed anew, but
 * no column is passed over that holds what cannot be.
 */
#include "database/sweep_database_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char *const MODES[] = {"ideal", "unsynchronized", "co-scheduled", NULL};
static const char *const METHODS[] = {"range", "t", "bootstrap", NULL};

bool app_result_reader_open(app_result_reader *reader, const app_sweep_database *database,
                            GError **error)
{
    *reader = (app_result_reader){.database = database};
    reader->makespans = app_sql_prepare(&database->sql,
                                        "SELECT point, replica, makespan_ps FROM makespans "
                                        "WHERE point = ? ORDER BY replica",
                                        error);
    reader->components =
        reader->makespans != NULL
            ? app_sql_prepare(&database->sql,
                              "SELECT point, component, name, origin, source, ranks, interval_ps, "
                              "length_ps, share, by_rank, by_run FROM components "
                              "WHERE point = ? ORDER BY component",
                              error)
            : NULL;
    reader->conditions =
        reader->components != NULL
            ? app_sql_prepare(&database->sql,
                              "SELECT point, condition, code, grave, text, brief FROM conditions "
                              "WHERE point = ? ORDER BY condition",
                              error)
            : NULL;
    return reader->conditions != NULL;
}

void app_result_reader_close(app_result_reader *reader)
{
    (void)sqlite3_finalize(reader->makespans);
    (void)sqlite3_finalize(reader->components);
    (void)sqlite3_finalize(reader->conditions);
}

/* One row of a table with a row for each index from 0 on. */
typedef void take_row(app_cells *cells, GArray *rows);

/* All rows of the point, each with the index after that of the one before. */
static bool read_rows(const app_sweep_database *d, sqlite3_stmt *statement, const char *table,
                      size_t point, take_row *take, GArray *rows, GError **error)
{
    (void)sqlite3_bind_int64(statement, 1, (sqlite3_int64)point);
    app_cells cells = {
        .sql = &d->sql, .row = statement, .table = table, .num_keys = 2, .error = error};
    int code;
    while ((code = app_sql_step(&d->sql, statement, error)) == SQLITE_ROW && !cells.bad) {
        if (app_cell_integer(&cells, 1, 0, INT64_MAX) != rows->len && !cells.bad) {
            g_autofree char *why = g_strdup_printf(
                "it must be %u: rows are missing, or there several times", rows->len);
            app_cell_refuse(&cells, 1, why);
        }
        if (!cells.bad) {
            take(&cells, rows);
        }
    }
    (void)sqlite3_reset(statement);
    return code >= 0 && !cells.bad;
}

static void take_makespan(app_cells *cells, GArray *rows)
{
    const sim_time makespan = app_cell_integer(cells, 2, 0, SIM_TIME_MAX);
    g_array_append_val(rows, makespan);
}

/* A component and how often it was met, while they are read. */
typedef struct component_row {
    app_sweep_component component;
    app_met met;
} component_row;

static void take_component(app_cells *cells, GArray *rows)
{
    component_row r = {0};
    int column = 2;
    r.component.name = g_strdup(app_cell_text(cells, column++));
    r.component.origin = (app_sweep_origin)app_cell_choice(cells, column++, app_sweep_origins);
    r.component.source =
        app_cell_is_null(cells, column) ? NULL : g_strdup(app_cell_text(cells, column));
    column++;
    r.met.ranks = (uint32_t)app_cell_integer(cells, column++, 0, UINT32_MAX);
    r.component.interval =
        app_cell_is_null(cells, column) ? INFINITY : app_cell_real(cells, column, 0, DBL_MAX);
    column++;
    r.component.length = app_cell_real(cells, column++, 0, DBL_MAX);
    r.met.share = app_cell_real(cells, column++, 0, 1);
    r.met.by_rank = app_cell_real(cells, column++, 0, DBL_MAX);
    r.met.by_run = app_cell_real(cells, column, 0, DBL_MAX);
    r.met.most = r.met.by_rank > 0 ? r.met.by_run / r.met.by_rank * r.met.share : 0;
    g_array_append_val(rows, r);
}

static bool read_makespans(const app_result_reader *reader, app_cells *cells, int runs_column,
                           app_sweep_result *result)
{
    const size_t point = (size_t)sqlite3_column_int64(cells->row, 0);
    g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(sim_time));
    if (!read_rows(reader->database, reader->makespans, "makespans", point, take_makespan, values,
                   cells->error)) {
        return false;
    }
    if (values->len == 0) {
        return app_sweep_database_refuse(reader->database, cells->error,
                                         "damaged: point %zu has no makespans", point);
    }
    if (sqlite3_column_int64(cells->row, runs_column) != values->len) {
        g_autofree char *why = g_strdup_printf("the point has %u makespans", values->len);
        app_cell_refuse(cells, runs_column, why);
        return false;
    }
    app_sweep_result_summarize(result, (const sim_time *)(gconstpointer)values->data, values->len);
    return true;
}

static bool read_components(const app_result_reader *reader, const app_cells *cells,
                            app_sweep_result *result)
{
    const size_t point = (size_t)sqlite3_column_int64(cells->row, 0);
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(component_row));
    const bool ok = read_rows(reader->database, reader->components, "components", point,
                              take_component, rows, cells->error);
    const size_t n = rows->len;
    result->series.num_met = n;
    result->series.met = g_new0(app_met, n);
    result->components = g_new0(app_sweep_component, n);
    for (guint i = 0; i < n; i++) {
        const component_row *row = &g_array_index(rows, component_row, i);
        result->series.met[i] = row->met;
        result->components[i] = row->component;
    }
    return ok;
}

static void take_condition(app_cells *cells, GArray *rows)
{
    const int column = 2;
    /* Names of codes are few, and are kept for ever. */
    const app_condition c = {
        .code = g_intern_string(app_cell_text(cells, column)),
        .weight = app_cell_integer(cells, column + 1, 0, 1) != 0 ? APP_CONDITION_GRAVE
                                                                 : APP_CONDITION_REMARK,
        .text = g_strdup(app_cell_text(cells, column + 2)),
        .brief = g_strdup(app_cell_text(cells, column + 3)),
    };
    g_array_append_val(rows, c);
}

static bool read_conditions(const app_result_reader *reader, const app_cells *cells,
                            app_sweep_result *result)
{
    const size_t point = (size_t)sqlite3_column_int64(cells->row, 0);
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(app_condition));
    const bool ok = read_rows(reader->database, reader->conditions, "conditions", point,
                              take_condition, rows, cells->error);
    result->conditions = g_new0(app_conditions, 1);
    result->conditions->n = rows->len;
    result->conditions->list = g_memdup2(rows->data, rows->len * sizeof(app_condition));
    return ok;
}

/* Columns that are computed anew from the makespans. */
static int pass_over(app_cells *cells, int column)
{
    enum { TIMES = 10 };
    for (int i = 0; i < TIMES; i++) { /* min_ps .. mean_ps */
        (void)app_cell_integer(cells, column++, 0, SIM_TIME_MAX);
    }
    (void)app_cell_integer(cells, column++, 0, UINT32_MAX);   /* outliers */
    (void)app_cell_integer(cells, column++, 0, SIM_TIME_MAX); /* ci_low_ps */
    (void)app_cell_integer(cells, column++, 0, SIM_TIME_MAX);
    (void)app_cell_real(cells, column++, 0, 1);
    return column;
}

/* The mean over the replicas, which may have taken a bootstrap; and what noisy runs met. */
static void read_noisy(app_cells *cells, int column, app_mean *m)
{
    m->mean = app_cell_real(cells, column++, -1, DBL_MAX);
    m->low = app_cell_real(cells, column++, -DBL_MAX, DBL_MAX);
    m->high = app_cell_real(cells, column++, m->low, DBL_MAX);
    m->level = app_cell_real(cells, column, 0, 1);
    const int method = app_cell_choice(cells, column + 1, METHODS);
    if ((m->level > 0) != (method > 0)) {
        app_cell_refuse(cells, column,
                        method > 0 ? "an interval has a level" : "a range has none: it must be 0");
    }
    m->is_bootstrap = strcmp(METHODS[method], "bootstrap") == 0;
    m->half_width = m->level > 0 ? fmax(m->mean - m->low, m->high - m->mean) : INFINITY;
    column += 2;
    m->median = app_cell_real(cells, column++, -1, DBL_MAX);
    for (int i = 0; i < 2; i++, column++) { /* met_by_rank, met_by_run: read with the components */
        if (!app_cell_is_null(cells, column)) {
            (void)app_cell_real(cells, column, 0, DBL_MAX);
        }
    }
    (void)app_cell_choice(cells, column++, app_sweep_origins);
    (void)app_cell_text(cells, column); /* remarks: they follow from the rest */
}

bool app_result_reader_read(const app_result_reader *reader, app_cells *cells, int first,
                            uint32_t ranks, app_sweep_result *result)
{
    app_series *s = &result->series;
    int column = first;
    s->ranks = ranks;
    s->mode = (app_mode)app_cell_choice(cells, column++, MODES);
    s->quantity = (app_quantity)app_cell_choice(cells, column++, app_sweep_quantities);
    s->passes = (uint32_t)app_cell_integer(cells, column++, 0, UINT32_MAX);
    s->num_ops = (uint64_t)app_cell_integer(cells, column++, 0, INT64_MAX);
    s->num_messages = (uint64_t)app_cell_integer(cells, column++, 0, INT64_MAX);
    const int runs = column;
    (void)app_cell_integer(cells, column++, 1, UINT32_MAX);
    s->ideal = app_cell_integer(cells, column++, 0, SIM_TIME_MAX);
    column = pass_over(cells, column);
    if (s->mode != APP_IDEAL) {
        read_noisy(cells, column, &s->slowdown);
    }
    if (cells->bad || !read_makespans(reader, cells, runs, result) ||
        !read_components(reader, cells, result)) {
        return false;
    }
    return read_conditions(reader, cells, result);
}
