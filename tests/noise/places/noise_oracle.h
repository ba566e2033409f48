/* tests/noise/places/noise_oracle.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Noise by place computed the slow way: every detour of every core is written down, those of a core
 * queue as in front of one counter, and time is cut at every instant at which anything changes.
 * Only what is drawn (traces, offsets, cores) is taken from the code that is tested.
 */
#pragma once

#include "noise/injection.h"
#include "sim/noise.h"

typedef struct noise_oracle noise_oracle;

/** All ranks, over 0..@p horizon ps. @param ranks of @p options' placement, which is not NULL */
noise_oracle *noise_oracle_new(const noise_signature *signature, uint32_t ranks,
                               const noise_injection_options *options, sim_time horizon);
void noise_oracle_free(noise_oracle *oracle);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_oracle, noise_oracle_free)
/** W from the pieces; SIM_TIME_MAX beyond the horizon. */
const sim_noise *noise_oracle_hook(const noise_oracle *oracle);
/** Is the picosecond that begins at @p t the program's on @p rank? O(pieces). */
bool noise_oracle_is_free(const noise_oracle *oracle, uint32_t rank, sim_time t);
/** Is @p core of @p node away in it? */
bool noise_oracle_is_away(const noise_oracle *oracle, uint32_t node, uint32_t core, sim_time t);
