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

static int64_t most_of(app_kind kind)
{
    switch (kind) {
    case APP_KIND_COUNT:
        return UINT32_MAX - 1;
    case APP_KIND_TIME:
        return SIM_TIME_MAX;
    default:
        return INT64_MAX;
    }
}

void app_sweep_database_get_value(app_cells *cells, int column, app_parameter_id id,
                                  app_sweep_value *value)
{
    const app_parameter *p = &app_parameters[id];
    const bool always = id == APP_PARAMETER_PROGRAM || id == APP_PARAMETER_RANKS;
    *value = (app_sweep_value){.has = always || !app_cell_is_null(cells, column)};
    if (!value->has) {
        return;
    }
    switch (p->kind) {
    case APP_KIND_CHOICE:
        value->text = g_strdup(p->choices[app_cell_choice(cells, column, p->choices)]);
        break;
    case APP_KIND_TEXT:
        value->text = g_strdup(app_cell_text(cells, column));
        break;
    case APP_KIND_RATE: {
        static const double MOST = (double)(INT64_MAX / 2);
        value->number = llround(app_cell_real(cells, column, 0, MOST / NS) * NS);
        break;
    }
    default:
        value->number =
            app_cell_integer(cells, column, p->kind == APP_KIND_COUNT, most_of(p->kind));
        break;
    }
}
