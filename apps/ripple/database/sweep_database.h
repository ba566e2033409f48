/* apps/ripple/database/sweep_database.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The results of a sweep in one SQLite file; docs/results.md describes its tables.
 *
 * A point is there whole or not at all: each is one transaction with SQLite's rollback journal.
 * (Not its write-ahead log: that keeps what is done in a second file until it is merged, and does
 * not work on the network file systems of clusters.) Points are numbered by the study, and rows
 * are kept by number, so that the content does not depend on the order in which they were done.
 * Any thread may call; calls exclude each other.
 */
#pragma once

#include "database/sweep_claim.h"
#include "database/sweep_result.h"
#include "noise/provenance.h"
#include "study/sweep_setup.h"
#include "study/sweep_study.h"

typedef struct app_sweep_database app_sweep_database;

/**
 * Open @p path for a sweep, or make it. A file that is something else, of another schema or
 * another version of Ripple, or that cannot be written, is an error.
 * @return owned by the caller
 */
app_sweep_database *app_sweep_database_open(const char *path, GError **error);
/** Open what a sweep has made to read it. */
app_sweep_database *app_sweep_database_read(const char *path, GError **error);
/** Close; a file that was made, never got a result and is used by nobody else is removed again.
 * NULL is a no-op. */
void app_sweep_database_close(app_sweep_database *database);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_sweep_database, app_sweep_database_close)

/**
 * Begin to say which study it holds: the study, then every input and every point in order, then
 * commit. Where there is one already, what is said is compared with it, and a difference is an
 * error that names it.
 */
bool app_sweep_database_begin(app_sweep_database *database, const app_sweep_study *study,
                              GError **error);
bool app_sweep_database_add_input(app_sweep_database *database, const char *path,
                                  const char *sha256, GError **error);
/** Where the detours of an input come from; what is there already stays, as the input does. */
bool app_sweep_database_add_measurement(app_sweep_database *database,
                                        const noise_provenance *measurement, GError **error);
/** What was dropped, assumed or inferred of programs; what is there already stays. */
typedef struct app_sweep_notice {
    char *what;      /* "MPI_Waitany: which request completed is not in this format" */
    uint64_t count;  /* how often, in the program where that is most */
    uint64_t points; /* that it concerns */
} app_sweep_notice;
bool app_sweep_database_add_notice(app_sweep_database *database, const app_sweep_notice *notice,
                                   GError **error);
bool app_sweep_database_add_point(app_sweep_database *database, size_t point,
                                  const app_sweep_value effective[APP_NUM_PARAMETERS],
                                  GError **error);
bool app_sweep_database_commit(app_sweep_database *database, GError **error);

/** Who is at work on which point, of a database opened for a sweep. Borrowed. */
const app_sweep_claims *app_sweep_database_claims(const app_sweep_database *database);

/** How many points are done; -1 with an error. */
int64_t app_sweep_database_count_done(app_sweep_database *database, GError **error);
/** Is that point done? 1, 0; -1 with an error. */
int app_sweep_database_is_done(app_sweep_database *database, size_t point, GError **error);
/** Store the result of a point. If it is done already (by another sweep), nothing changes. */
bool app_sweep_database_add_result(app_sweep_database *database, size_t point,
                                   const app_sweep_result *result, GError **error);
/** The axis on which each parameter is varied, 0: the slowest; -1: it is not. */
bool app_sweep_database_axes(app_sweep_database *database, int position[APP_NUM_PARAMETERS],
                             GError **error);
/** The text of name in table meta, owned by the caller; NULL with an error. */
char *app_sweep_database_meta(app_sweep_database *database, const char *name, GError **error);
/** All measurements, by path. @return of noise_provenance, without run_length and tail; owned by
 * the caller; NULL with an error */
GPtrArray *app_sweep_database_measurements(app_sweep_database *database, GError **error);
/** All notices, by text. @return of app_sweep_notice; owned by the caller; NULL with an error */
GArray *app_sweep_database_notices(app_sweep_database *database, GError **error);
/** Empty; clears its elements. Owned by the caller. */
GArray *app_sweep_notices_new(void);
/**
 * Read points in order, done or not.
 * What cannot be (a NULL where a number must be, a negative number of ranks) is an error that names
 * table, row and column.
 * @param row borrowed for the call, but what is in the result may be taken: then it is left all
 *   zero; result NULL: not done yet
 */
typedef void app_sweep_row(void *data, size_t point,
                           const app_sweep_value effective[APP_NUM_PARAMETERS],
                           app_sweep_result *result);
bool app_sweep_database_each(app_sweep_database *database, app_sweep_row *row, void *data,
                             GError **error);
