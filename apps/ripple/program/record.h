/* apps/ripple/program/record.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Recording a command into a folder, and reporting the result: the verbs `trace` and `run`.
 */
#pragma once

#include "options/options.h"
#include "output/context.h"
#include "system/launch.h"

#include "sched/trace.h"

/** The options --mpi, --clock and --anonymous; the texts are owned by the verb's state. */
typedef struct app_record_options {
    char *mpi;
    char *clock;
    gboolean anonymous;
} app_record_options;
void app_record_add_options(app_record_options *record, app_options *options);
void app_record_clear(app_record_options *record);

/**
 * Record context->command into @p folder, which must not hold an archive yet. A program that
 * fails is reported, and what it left is still read.
 * @param program_ok  false: it ended with an error, of which a line has been printed
 * @return the trace, owned by the caller; NULL with an error that says what is missing and why
 */
sched_trace *app_record(const app_context *context, const app_record_options *record,
                        const char *folder, bool *program_ok, GError **error);
