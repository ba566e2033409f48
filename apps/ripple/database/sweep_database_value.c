/* apps/ripple/database/sweep_database_value.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_database. */
/* The value of a parameter in a row of table points: writing and reading it. */
#include "database/sweep_database_private.h"

#include <math.h>

static const double NS = 1e9; /* rates are stored in ns/B; sim_rate counts 10^-9 of them */

void app_sweep_database_bind_value(sqlite3_stmt *statement, int column, app_parameter_id id,
                                   const app_sweep_value *value)
{
    if (!value->has) {
        (void)sqlite3_bind_null(statement, column);
    } else if (value->text != NULL) {
        (void)sqlite3_bind_text(statement, column, value->text, -1, SQLITE_STATIC);
    } else if (app_parameters[id].kind == APP_KIND_RATE) {
        (void)sqlite3_bind_double(statement, column, (double)value->number / NS);
    } else {
        (void)sqlite3_bind_int64(statement, column, value->number);
    }
}

void app_sweep_database_get_value(sqlite3_stmt *statement, int column, app_parameter_id id,
                                  app_sweep_value *value)
{
    *value = (app_sweep_value){.has = sqlite3_column_type(statement, column) != SQLITE_NULL};
    if (!value->has) {
        return;
    }
    if (!app_parameter_is_number(id)) {
        value->text = g_strdup((const char *)sqlite3_column_text(statement, column));
    } else if (app_parameters[id].kind == APP_KIND_RATE) {
        value->number = llround(sqlite3_column_double(statement, column) * NS);
    } else {
        value->number = sqlite3_column_int64(statement, column);
    }
}
