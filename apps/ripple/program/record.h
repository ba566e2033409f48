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

/** The options --mpi, --clock, --anonymous, --watch and --max-cpu; the texts are owned by the
 * verb's state. */
typedef struct app_record_options {
    char *mpi;
    char *clock;
    gboolean anonymous;
    gboolean watch;
    char *max_cpu; /* of the monitor; NULL: not given */
} app_record_options;
void app_record_add_options(app_record_options *record, app_options *options);
void app_record_clear(app_record_options *record);

/** What is made of the calls while the program runs, beside the archive or instead of it. */
typedef struct app_record_live {
    bool mine;                  /* synopses (synopsis.h) */
    double mine_every;          /* s between those of ranks that run; 0: only at the end */
    const char *detect;         /* samples (live/live_scores.h): path of the model; NULL: none */
    const app_child_beat *beat; /* what is done meanwhile; NULL: nothing */
    /** A signal stops us, and the program has ended: the last before we die; with the data of the
     * beat. NULL: nothing */
    void (*stopped)(void *data);
} app_record_live;

/**
 * Run context->command without writing an archive; what is made of its calls is in @p folder.
 * @param program_ok  as of app_record()
 */
bool app_record_without_archive(const app_context *context, const app_record_options *record,
                                const app_record_live *live, const char *folder, bool *program_ok,
                                GError **error);

/** What --watch leaves beside the files in the folder; both owned by whom app_record() gave it to.
 */
typedef struct app_watched {
    GArray *slices; /* of noise_cpu_slices; NULL: not watched, or not allowed */
    char *refusal;  /* why not */
} app_watched;

/**
 * Record context->command into @p folder, which must not hold an archive yet. A program that
 * fails is reported, and what it left is still read.
 * @param live     NULL: nothing but the archive
 * @param watched  zeroed by the caller; filled with --watch, also where NULL is returned
 * @param program_ok  false: it ended with an error, of which a line has been printed
 * @return the trace, owned by the caller; NULL with an error that says what is missing and why
 */
sched_trace *app_record(const app_context *context, const app_record_options *record,
                        const app_record_live *live, const char *folder, app_watched *watched,
                        bool *program_ok, GError **error);
