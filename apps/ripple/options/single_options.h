/* apps/ripple/options/single_options.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a verb says of one run of one program: which program, on which machine, where its ranks
 * are, and under which noise.
 */
#pragma once

#include "options/machine_options.h"
#include "options/noise_options.h"
#include "options/place_options.h"
#include "options/program_options.h"

typedef struct app_single_options {
    app_program_options program;
    app_machine_options machine;
    app_place_options places;
    app_noise_options noise; /* without --replicas */
} app_single_options;

void app_single_options_add(app_single_options *self, app_options *options);
void app_single_options_clear(app_single_options *self);
