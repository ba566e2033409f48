/* apps/ripple/database/sweep_database_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the sources of a database share: opening (sweep_database_open.c), values in rows
 * (sweep_database_value.c) and results (sweep_database_add.c, sweep_database_result.c), which
 * writing (sweep_database.c) and reading (sweep_database_read.c) use.
 */
#pragma once

#include "database/sweep_cell.h"
#include "database/sweep_claim.h"
#include "database/sweep_database.h"
#include "database/sweep_sql.h"

struct app_sweep_database {
    app_sql sql;
    app_sweep_claims *claims; /* NULL: opened to be read */
    bool made;                /* the file did not exist */
    bool has_study;
    bool comparing; /* between begin and commit: with a study that is there already */
    sqlite3_stmt *add_point;
    sqlite3_stmt *get_point;
    sqlite3_stmt *is_done;
    sqlite3_stmt *add_result;
    sqlite3_stmt *add_makespan;
    sqlite3_stmt *add_component;
    sqlite3_stmt *add_condition;
};

/** Open @p path, whosever it is among databases of sweeps. @param claims taken over, come what may
 */
app_sweep_database *app_sweep_database_open_file(const char *path, int flags,
                                                 app_sweep_claims *claims, GError **error);
/** An error of what is in the file. @return false */
bool app_sweep_database_refuse(const app_sweep_database *database, GError **error,
                               const char *format, ...) G_GNUC_PRINTF(3, 4);
/** Whose is it? Sets has_study. @return false: of somebody else, or of another version */
bool app_sweep_database_identify(app_sweep_database *database, GError **error);
/** The number that a command returns. */
bool app_sweep_database_number(const app_sweep_database *database, const char *command,
                               int64_t *out, GError **error);
/** The value of a parameter into a column of a command; its text is borrowed until that is run. */
void app_sweep_database_bind_value(sqlite3_stmt *statement, int column, app_parameter_id id,
                                   const app_sweep_value *value);
/** The value of a parameter in a row; its text is owned by the caller. */
void app_sweep_database_get_value(app_cells *cells, int column, app_parameter_id id,
                                  app_sweep_value *value);
/** Run a prepared command that returns nothing. */
bool app_sweep_database_run(const app_sweep_database *database, sqlite3_stmt *statement,
                            GError **error);

/** What reads the results of points, in order (sweep_database_result.c). */
typedef struct app_result_reader {
    const app_sweep_database *database;
    sqlite3_stmt *makespans;
    sqlite3_stmt *components;
    sqlite3_stmt *conditions;
} app_result_reader;

bool app_result_reader_open(app_result_reader *reader, const app_sweep_database *database,
                            GError **error);
void app_result_reader_close(app_result_reader *reader);
/**
 * @param cells  of a row with the columns of results from @p first on; the number of the point is
 *   its first column
 * @param ranks of the point
 */
bool app_result_reader_read(const app_result_reader *reader, app_cells *cells, int first,
                            uint32_t ranks, app_sweep_result *result);
