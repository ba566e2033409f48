/* tests/sim/pass_trial.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file A run in which passes may stand for others, against the run of all passes. */
#pragma once

#include "sim/run.h"

/**
 * Both runs end alike: the same on every rank, the same slices, or the same error.
 * @return how many passes were simulated where some were known; 0: all were
 */
uint32_t pass_trial_compare(const sim_program *program, const sim_params *params,
                            const sim_run_options *options, const char *where);
