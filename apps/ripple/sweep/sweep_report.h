/* apps/ripple/sweep/sweep_report.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The report of a sweep: a folder with report.html and, beside it, each figure as SVG, CSV and
 * gnuplot script.
 */
#pragma once

#include "database/sweep_table.h"

typedef struct app_sweep_report {
    const app_sweep_table *table;
    const char *title;   /* "" or of the study */
    const char *study;   /* the file that says the same */
    const char *version; /* of Ripple, that made the results */
} app_sweep_report;

#define APP_SWEEP_PAGE "report.html"

/** Write it into @p folder, all of it or nothing. */
bool app_sweep_report_write(const app_sweep_report *report, const char *folder, GError **error);
/**
 * The same of the database at @p path, complete or not.
 * @return what it says, owned by the caller; NULL with an error
 */
app_sweep_table *app_sweep_report_database(const char *path, const char *folder, GError **error);
