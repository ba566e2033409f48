/* apps/ripple/experiment/run_noise.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_workload, cli_simulate. */
#include "experiment/run_noise.h"

#include "noise/lanes.h"

noise_injection_options app_run_noise(const app_noise *noise, const sim_placement *placement,
                                      app_mode mode, uint64_t seed, uint32_t replica)
{
    return (noise_injection_options){
        .sync = mode == APP_COSCHEDULED ? NOISE_COSCHEDULED : NOISE_UNSYNCHRONIZED,
        .sigma = noise->sigma,
        .placement = placement,
        .threads_per_rank = app_noise_threads(noise),
        .cores_per_node = app_noise_cores(noise),
        .seed = seed,
        .replica = replica,
    };
}

bool app_run_noise_in_lanes(const app_noise *noise, uint32_t ranks, const app_mode *modes, size_t n)
{
    const sim_placement placement = app_noise_placement(noise, ranks);
    for (size_t i = 0; i < n; i++) {
        const noise_injection_options o = app_run_noise(noise, &placement, modes[i], 1, 0);
        if (modes[i] != APP_IDEAL && !noise_lanes_may(noise->signature, &o)) {
            return false;
        }
    }
    return true;
}
