/* apps/ripple/study/sweep_options.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The options of simulate, and --sweep, as a study.
 */
#pragma once

#include "options/machine_options.h"
#include "options/noise_options.h"
#include "options/place_options.h"
#include "options/program_options.h"
#include "study/sweep_study.h"

typedef struct app_sweep_options {
    app_program_options program;
    app_machine_options machine;
    app_place_options places;
    app_noise_options noise;
    char *seed;
    char **sweep;
} app_sweep_options;

void app_sweep_options_add(app_sweep_options *self, app_options *options);
void app_sweep_options_clear(app_sweep_options *self);

/**
 * The study they describe.
 * @param file_or_program a study file, whose statements options take the place of; or a program;
 *   NULL: neither
 * @return owned by the caller; NULL with an error
 */
app_sweep_study *app_sweep_options_resolve(const app_sweep_options *self,
                                           const char *file_or_program, GError **error);
