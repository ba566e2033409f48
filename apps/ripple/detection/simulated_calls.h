/* apps/ripple/detection/simulated_calls.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The calls of a simulated run. What a rank computes between two calls is the time of the
 * operations that compute there, with the detours that struck them.
 */
#pragma once

#include "detection/call_script.h"
#include "sim/run.h"

/**
 * Run @p program once, on one thread.
 * @param options noise, levels, watch and the like; NULL: none. Its sink is not used
 * @return owned by the caller; NULL with an error of sim_run()
 */
app_run_calls *app_simulated_calls(const app_call_script *script, const sim_program *program,
                                   const sim_params *params, const sim_run_options *options,
                                   GError **error);
