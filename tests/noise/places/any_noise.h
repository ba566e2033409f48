/* tests/noise/places/any_noise.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Noise of any place at random, of detours so short that it can be walked over in picoseconds.
 */
#pragma once

#include "noise/injection.h"
#include "noise/signature.h"

/** Up to three components, perhaps drift, and perhaps one of them left out.
 * @return owned by the caller */
noise_signature *any_noise(GRand *random);

/** How it strikes ranks at @p placement, of up to @p most_threads threads. */
static inline noise_injection_options any_noise_options(GRand *random, int most_threads,
                                                        const sim_placement *placement)
{
    const uint32_t threads = (uint32_t)g_rand_int_range(random, 1, most_threads + 1);
    const bool cosched = g_rand_int_range(random, 0, 3) == 0;
    const bool exact = g_rand_int_range(random, 0, 2) == 0;
    const bool of_ranks = g_rand_int_range(random, 0, 2) == 0;
    const uint32_t more = (uint32_t)g_rand_int_range(random, 0, 4);
    return (noise_injection_options){
        .sync = cosched ? NOISE_COSCHEDULED : NOISE_UNSYNCHRONIZED,
        .sigma = exact ? 0 : 150,
        .placement = placement,
        .threads_per_rank = threads,
        .cores_per_node = of_ranks ? 0 : threads * placement->ranks_per_node + more,
        .seed = g_rand_int(random),
        .replica = (uint32_t)g_rand_int_range(random, 0, 100),
    };
}
