/* apps/ripple/experiment/run_noise.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How noise is laid over the ranks of one run.
 */
#pragma once

#include "experiment/mode.h"
#include "noise/injection.h"
#include "options/noise_options.h"
#include "sim/run.h"

/** @param placement of the size; borrowed by what is returned */
noise_injection_options app_run_noise(const app_noise *noise, const sim_placement *placement,
                                      app_mode mode, uint64_t seed, uint32_t replica);
/** Do lanes know it, at that size and in all of @p modes [n] (noise/lanes.h)? */
bool app_run_noise_in_lanes(const app_noise *noise, uint32_t ranks, const app_mode *modes,
                            size_t n);
/**
 * How many ranks stand for all in runs of @p mode (sim/symmetry.h) that are not explained; 0: none
 * do. @p levels: NULL: one
 */
uint32_t app_run_representatives(const app_noise *noise, const sim_program *program,
                                 const sim_params *params, const sim_levels *levels, app_mode mode);
/**
 * @p error is what a run ended with: if its time passed all bounds since ranks of several threads
 * hardly ever have all of their cores, say so, with component, share and threads.
 */
void app_run_noise_blame(const app_noise *noise, app_mode mode, GError **error);
