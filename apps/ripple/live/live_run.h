/* apps/ripple/live/live_run.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Running a command whose ranks are scored meanwhile: `ripple trace --detect`. */
#pragma once

#include "program/record.h"

typedef struct app_live_run_options {
    const app_record_options *record;
    const char *folder;
    const char *model; /* its file */
    bool archive;      /* is one written, too? */
} app_live_run_options;

/**
 * Run context->command; a line when a rank begins to look disturbed, the table of
 * `ripple detect score` at the end, also where a signal ends it. @return exit code: as that of
 * `ripple detect score` where the program came to its end
 */
int app_live_run(const app_context *context, const app_live_run_options *options, GError **error);
