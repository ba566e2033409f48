/* tests/sim/record/recorded_run.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The record of a run, in a file; and the machine of runs that are worked out by hand.
 */
#pragma once

#include "sim/run_record.h"

/* All times in ps: G of 2 and O of 1 ps per byte beyond the first. */
static const sim_params PARAMS = {.L = 1000,
                                  .o = 10,
                                  .g = 100,
                                  .G = 2 * SIM_RATE_PER_PS,
                                  .O = 1 * SIM_RATE_PER_PS,
                                  .S = INT64_MAX};

/** @return owned by the caller; NULL: the run fails */
sim_run_record *recorded_run(const sim_program *program, const sim_params *params,
                             const sim_run_options *options, GError **error);
