/* apps/ripple/experiment/run_noise.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_workload, cli_simulate, cli_noise_places. */
#include "experiment/run_noise.h"

#include "noise/lanes.h"
#include "output/number_text.h"
#include "sim/error.h"
#include "sim/symmetry.h"

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

uint32_t app_run_representatives(const app_noise *noise, const sim_program *program,
                                 const sim_params *params, const sim_levels *levels, app_mode mode)
{
    static const sim_noise common = {.same = true}; /* nobody asks it */
    const sim_placement placement = app_noise_placement(noise, program->num_ranks);
    const noise_injection_options o = app_run_noise(noise, &placement, mode, 1, 0);
    if (mode != APP_IDEAL && !noise_injection_is_common(noise->signature, &o)) {
        return 0;
    }
    const sim_run_options options = {.noise = mode != APP_IDEAL ? &common : NULL, .levels = levels};
    return sim_symmetry_holds(program, params, &options);
}

/* Of each core, by all that strike cores at times of their own. @return the largest; NULL: none */
static const noise_component *find_largest(const noise_signature *signature, double *sum)
{
    const noise_component *largest = NULL;
    *sum = 0;
    for (size_t i = 0; i < noise_signature_num_components(signature); i++) {
        const noise_component *c = noise_signature_component(signature, i);
        if (c->is_rate || c->place != NOISE_PLACE_CORE) {
            continue; /* slow cores of a rank do not add up, nor what strikes one core at a time */
        }
        *sum += c->share;
        largest = largest == NULL || c->share > largest->share ? c : largest;
    }
    return largest;
}

void app_run_noise_blame(const app_noise *noise, app_mode mode, GError **error)
{
    const uint32_t threads = app_noise_threads(noise);
    double sum;
    const noise_component *largest = find_largest(noise->signature, &sum);
    if (error == NULL || !g_error_matches(*error, SIM_ERROR, SIM_ERROR_OVERFLOW) ||
        mode != APP_UNSYNCHRONIZED || threads < 2 || sum * threads < 1) {
        return; /* less than 1 leaves each rank some time */
    }
    g_autofree char *share = app_format_percent(largest->share);
    g_autoptr(GError) old = g_steal_pointer(error);
    g_set_error(error, old->domain, old->code,
                "%s: noise '%s' takes %s of each core, and a rank of %u threads works only while "
                "it has all its %u cores: that may be never",
                old->message, largest->name, share, threads, threads);
}
