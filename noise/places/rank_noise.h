/* noise/places/rank_noise.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Noise of any place, laid over ranks of one core or several: the general case, to which
 * noise/injection.h goes where each rank does not just see one trace from one offset.
 */
#pragma once

#include "noise/injection.h"

typedef struct noise_rank_noise noise_rank_noise;

/**
 * As noise_injection_new(). 8 bytes per rank, or per node, for each group of detours that is not
 * everywhere, and for rates that are not; 8 per node where clocks differ.
 */
noise_rank_noise *noise_rank_noise_new(const noise_signature *signature, uint32_t num_ranks,
                                       const noise_injection_options *options);
void noise_rank_noise_free(noise_rank_noise *ranks);
/** Borrowed. W takes O(cores of the rank) and the detours met. */
const sim_noise *noise_rank_noise_hook(const noise_rank_noise *ranks);
