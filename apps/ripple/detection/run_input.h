/* apps/ripple/detection/run_input.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A run as the command line names it: a record, looked at as it is, or a program that is simulated
 * under the options' noise first.
 */
#pragma once

#include "detection/run_calls.h"
#include "experiment/single_run.h"
#include "noise/call_symbol.h"
#include "noise/interference.h"

/** Borrowed; the same for all runs of a command line. */
typedef struct app_run_options {
    const app_program_options *program;
    const app_machine_options *machine;
    const app_place_options *places;
    const app_noise_options *noise;
} app_run_options;

typedef struct app_run_input {
    const app_run_options *options;
    char *name;
    bool simulated;
    uint32_t replica; /* of the noise: runs of one program differ in it */
    uint32_t num_ranks;
    app_source *source;
    app_setting setting;
    uint32_t *nodes; /* [num_ranks]; NULL: each rank has one of its own */
} app_run_input;

/** Do the options speak of a simulated run? Records are simulated, too, then. */
bool app_run_options_simulate(const app_run_options *options);

/** Is none given that only simulated runs have? Else an error of usage: it has no effect @p idle.
 */
bool app_run_options_refuse(const app_run_options *options, bool seed_given, const char *idle,
                            GError **error);

/**
 * Read @p name and find out how it is to be had; what took effect goes into @p manifest, which may
 * be another than the context's.
 * @return owned by the caller; NULL with an error
 */
app_run_input *app_run_input_open(const char *name, const app_run_options *options,
                                  const app_context *context, app_manifest *manifest,
                                  uint32_t replica, GError **error);
void app_run_input_free(app_run_input *input); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_run_input, app_run_input_free)

/** The record; NULL: it is simulated. Borrowed. */
const sched_trace *app_run_input_record(const app_run_input *input);
/** The folder in which the record lies, or that it is. Owned by the caller. */
char *app_run_input_folder(const app_run_input *input);
/**
 * Can @p model know its calls? Those of a record are MPI's, also where it is simulated; patterns,
 * collectives and schedules have messages only.
 */
bool app_run_input_fits(const app_run_input *input, const noise_interference_model *model,
                        GError **error);
/** The calls, told apart by @p match. A simulated run is made anew each time, and is the same. */
app_run_calls *app_run_input_calls(app_run_input *input, noise_match match,
                                   const app_context *context, GError **error);
