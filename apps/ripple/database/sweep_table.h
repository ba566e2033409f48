/* apps/ripple/database/sweep_table.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * All points of a sweep, read back from its database.
 */
#pragma once

#include "database/sweep_database.h"

typedef struct app_sweep_point {
    size_t number;
    app_sweep_value values[APP_NUM_PARAMETERS];
    bool done;
    app_sweep_result result; /* if done */
} app_sweep_point;

typedef struct app_sweep_table {
    size_t num_points;
    app_sweep_point *points;          /* [num_points] by number */
    int position[APP_NUM_PARAMETERS]; /* of its axis; -1: it is not varied */
    bool varied[APP_NUM_PARAMETERS];  /* on an axis, and with more than one value */
    GPtrArray *measurements; /* of noise_provenance, by path: what the noise was read from */
    GArray *notices;         /* of app_sweep_notice, by text: what became of programs */
} app_sweep_table;

/** @return owned by the caller; NULL with an error */
app_sweep_table *app_sweep_table_read(app_sweep_database *database, GError **error);
void app_sweep_table_free(app_sweep_table *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_sweep_table, app_sweep_table_free)

/** Are two values of a parameter the same? */
bool app_sweep_value_equal(const app_sweep_value *a, const app_sweep_value *b);
/** The value of a parameter for people; "-" where it has no effect. Owned by the caller. */
char *app_sweep_value_format(app_parameter_id id, const app_sweep_value *value);
