/* apps/ripple/experiment/single_run.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * One run of a program at one size, for a verb that looks at the run itself, not at replicas.
 */
#pragma once

#include "noise/injection.h"
#include "options/setting.h"
#include "output/context.h"
#include "program/source.h"
#include "system/watch.h"

/** Points into itself: it stays where it was begun. */
typedef struct app_single_run {
    const sim_program *program;        /* borrowed from the source */
    const sim_params *params;          /* borrowed from the setting */
    const sim_levels *levels;          /* NULL: none */
    noise_injection_options injection; /* co-scheduled if the options ask for that alone */
    uint64_t num_ops;
    app_progress *progress;
    app_watch watch;
    sim_placement placement;
    sim_levels of_places;
} app_single_run;

/** The one size that the options ask for; 0 with an error, of usage where there are several. */
uint32_t app_single_run_size(app_source *source, const app_context *context, GError **error);
/**
 * What the engine is to be asked.
 * @param source, setting kept until app_single_run_clear()
 * @param more bytes that are needed beside the program
 */
bool app_single_run_begin(app_single_run *run, app_source *source, const app_setting *setting,
                          uint32_t ranks, uint64_t more, const app_context *context,
                          GError **error);
void app_single_run_clear(app_single_run *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(app_single_run, app_single_run_clear)
