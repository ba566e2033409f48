/* apps/ripple/options/extrapolation_options.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How a recorded program becomes a larger one: by copies side by side, or on a larger grid. The
 * options --extrapolate, --grid, --explained, --scaling and --fit; docs/regrid.md.
 */
#pragma once

#include "options/options.h"
#include "sched/regrid.h"

/** As they were given; NULL: not. */
typedef struct app_extrapolation_options {
    char *extrapolate;
    char *grid;
    char *explained;
    char *scaling;
    char *fit;
} app_extrapolation_options;

/** What they come to. */
typedef struct app_extrapolation {
    bool regrid;
    sched_regrid_options recognise;
    sched_regrid_target target; /* ranks: 0 */
} app_extrapolation;

/** Part of app_program_options_add(). */
void app_extrapolation_options_add(app_extrapolation_options *self, app_options *options);
void app_extrapolation_options_clear(app_extrapolation_options *self);
/**
 * Refuse all of them where they have no effect.
 * @param idle where that is: "on a recorded run"; NULL: they have one
 */
bool app_extrapolation_refuse_idle(const app_extrapolation_options *self, const char *idle,
                                   GError **error);
/** @return false with an error of usage */
bool app_extrapolation_parse(const app_extrapolation_options *self, app_extrapolation *out,
                             GError **error);
