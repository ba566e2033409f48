/* apps/ripple/database/sweep_database_add.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_database. */
/*
 * The result of a point into the tables, all of it or nothing; the columns are in the order of
 * sweep_sql.c.
 */
#include "database/sweep_database_private.h"
#include "findings/remark.h"

#include <math.h>

static void bind_number(sqlite3_stmt *s, int column, double value, bool known)
{
    if (known) {
        (void)sqlite3_bind_double(s, column, value);
    } else {
        (void)sqlite3_bind_null(s, column);
    }
}

static void bind_text(sqlite3_stmt *s, int column, const char *text)
{
    (void)sqlite3_bind_text(s, column, text, -1, SQLITE_STATIC); /* NULL binds NULL */
}

/* What there is of noisy runs only, from @p column on. */
static void bind_noisy(sqlite3_stmt *s, int column, const app_sweep_result *r, const char *remarks)
{
    const bool noisy = r->series.mode != APP_IDEAL;
    const app_mean *m = &r->series.slowdown;
    const app_met *met = app_series_rarest_met(&r->series);
    bind_number(s, column++, m->mean, noisy);
    bind_number(s, column++, m->low, noisy);
    bind_number(s, column++, m->high, noisy);
    bind_number(s, column++, m->level, noisy);
    bind_text(s, column++, noisy ? app_sweep_result_method(r) : NULL);
    bind_number(s, column++, m->median, noisy);
    bind_number(s, column++, met != NULL ? met->by_rank : 0, met != NULL);
    bind_number(s, column++, met != NULL ? met->by_run : 0, met != NULL);
    bind_text(s, column++, noisy ? app_sweep_origins[app_sweep_result_origin(r)] : NULL);
    bind_text(s, column, noisy ? remarks : NULL);
}

/* @param remarks borrowed until the command is run */
static void bind_result(sqlite3_stmt *s, size_t point, const app_sweep_result *r,
                        const char *remarks)
{
    const app_statistics *t = &r->series.times;
    const sim_time times[] = {r->series.ideal, t->min,       t->whisker_low,  t->quartile1,
                              t->median,       t->quartile3, t->whisker_high, t->p95,
                              t->p99,          t->max,       t->mean};
    int column = 0;
    (void)sqlite3_bind_int64(s, ++column, (sqlite3_int64)point);
    bind_text(s, ++column, app_mode_name(r->series.mode));
    bind_text(s, ++column, app_sweep_quantities[r->series.quantity]);
    (void)sqlite3_bind_int64(s, ++column, r->series.passes);
    (void)sqlite3_bind_int64(s, ++column, (sqlite3_int64)r->series.num_ops);
    (void)sqlite3_bind_int64(s, ++column, (sqlite3_int64)r->series.num_messages);
    (void)sqlite3_bind_int64(s, ++column, r->series.num_runs);
    for (size_t i = 0; i < G_N_ELEMENTS(times); i++) {
        (void)sqlite3_bind_int64(s, ++column, times[i]);
    }
    (void)sqlite3_bind_int64(s, ++column, (sqlite3_int64)t->outliers);
    (void)sqlite3_bind_int64(s, ++column, t->low);
    (void)sqlite3_bind_int64(s, ++column, t->high);
    (void)sqlite3_bind_double(s, ++column, t->level);
    bind_noisy(s, ++column, r, remarks);
}

static bool insert_makespans(app_sweep_database *d, size_t point, const app_sweep_result *r,
                             GError **error)
{
    (void)sqlite3_bind_int64(d->add_makespan, 1, (sqlite3_int64)point);
    for (uint32_t i = 0; i < r->series.num_runs; i++) {
        (void)sqlite3_bind_int64(d->add_makespan, 2, i);
        (void)sqlite3_bind_int64(d->add_makespan, 3, r->makespans[i]);
        if (!app_sweep_database_run(d, d->add_makespan, error)) {
            return false;
        }
    }
    return true;
}

static bool insert_components(app_sweep_database *d, size_t point, const app_sweep_result *r,
                              GError **error)
{
    sqlite3_stmt *s = d->add_component;
    for (size_t i = 0; i < r->series.num_met; i++) {
        const app_sweep_component *c = &r->components[i];
        const app_met *met = &r->series.met[i];
        int column = 0;
        (void)sqlite3_bind_int64(s, ++column, (sqlite3_int64)point);
        (void)sqlite3_bind_int64(s, ++column, (sqlite3_int64)i);
        bind_text(s, ++column, c->name);
        bind_text(s, ++column, app_sweep_origins[c->origin]);
        bind_text(s, ++column, c->source);
        (void)sqlite3_bind_int64(s, ++column, met->ranks);
        bind_number(s, ++column, c->interval, isfinite(c->interval));
        (void)sqlite3_bind_double(s, ++column, c->length);
        (void)sqlite3_bind_double(s, ++column, met->share);
        (void)sqlite3_bind_double(s, ++column, met->by_rank);
        (void)sqlite3_bind_double(s, ++column, met->by_run);
        if (!app_sweep_database_run(d, s, error)) {
            return false;
        }
    }
    return true;
}

static bool insert_conditions(app_sweep_database *d, size_t point, const app_sweep_result *r,
                              GError **error)
{
    sqlite3_stmt *s = d->add_condition;
    for (size_t i = 0; i < r->conditions->n; i++) {
        const app_condition *c = &r->conditions->list[i];
        int column = 0;
        (void)sqlite3_bind_int64(s, ++column, (sqlite3_int64)point);
        (void)sqlite3_bind_int64(s, ++column, (sqlite3_int64)i);
        bind_text(s, ++column, c->code);
        (void)sqlite3_bind_int(s, ++column, c->weight == APP_CONDITION_GRAVE);
        bind_text(s, ++column, c->text);
        bind_text(s, ++column, c->brief);
        if (!app_sweep_database_run(d, s, error)) {
            return false;
        }
    }
    return true;
}

/* Within a transaction. */
static bool insert_result(app_sweep_database *d, size_t point, const app_sweep_result *r,
                          GError **error)
{
    g_autofree char *remarks =
        r->series.mode != APP_IDEAL ? app_series_codes(&r->series, " ") : NULL;
    bind_result(d->add_result, point, r, remarks);
    return app_sweep_database_run(d, d->add_result, error) &&
           insert_makespans(d, point, r, error) && insert_components(d, point, r, error) &&
           insert_conditions(d, point, r, error);
}

bool app_sweep_database_add_result(app_sweep_database *d, size_t point, const app_sweep_result *r,
                                   GError **error)
{
    if (!app_sql_run(&d->sql, "BEGIN IMMEDIATE", error)) {
        return false;
    }
    (void)sqlite3_bind_int64(d->is_done, 1, (sqlite3_int64)point);
    const int done = app_sql_step(&d->sql, d->is_done, error);
    (void)sqlite3_reset(d->is_done);
    const bool ok = done == SQLITE_ROW || (done >= 0 && insert_result(d, point, r, error));
    if (ok && app_sql_run(&d->sql, "COMMIT", error)) {
        return true;
    }
    (void)app_sql_run(&d->sql, "ROLLBACK", NULL); /* some errors have rolled back already */
    return false;
}
