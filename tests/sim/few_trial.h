/* tests/sim/few_trial.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file A run in which some ranks, or passes, may stand for others, against the run of all. */
#pragma once

#include "sim/run.h"

#include <stdbool.h>

/** How many were simulated where these stood for all; 0: all were. */
typedef struct few_trial {
    uint32_t ranks, passes;
    bool failed; /* both runs */
} few_trial;

/** Both runs end alike: the same on every rank, the same slices and breakdown, or the same error.
 */
few_trial few_trial_compare(const sim_program *program, const sim_params *params,
                            const sim_run_options *options, const char *where);
