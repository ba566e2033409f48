/* apps/ripple/options/extrapolation_options.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How a recorded program becomes a larger one: by copies side by side, or on a larger grid. The
 * options --extrapolate, --grid, --explained and --scaling; docs/regrid.md.
 */
#pragma once

#include "options/program_options.h"
#include "sched/regrid.h"

/** What they come to. */
typedef struct app_extrapolation {
    bool regrid;
    sched_regrid_options recognise;
    sched_regrid_target target; /* ranks: 0 */
} app_extrapolation;

void app_extrapolation_options_add(app_program_options *self, app_options *options);
/** @return false with an error of usage */
bool app_extrapolation_parse(const app_program_options *self, app_extrapolation *out,
                             GError **error);
