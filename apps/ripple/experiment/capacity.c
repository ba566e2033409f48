/* apps/ripple/experiment/capacity.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_app_memory. */
#include "experiment/capacity.h"

#include "noise/injection.h"
#include "sim/run.h"
#include "system/memory.h"

enum { PROCESS_BYTES = 16 << 20 }; /* that has nothing to do, with its libraries */

static sim_run_needs needs_of(app_source *source, uint32_t ranks, const sim_params *params,
                              const app_places *places, unsigned threads)
{
    sim_levels levels;
    const bool has_levels = app_places_have_levels(places);
    if (has_levels) {
        levels = app_places_levels_at(places, ranks);
    }
    const sim_run_options options = {.levels = has_levels ? &levels : NULL, .threads = threads};
    const sim_program *stored = app_source_own_program(source);
    const sim_program computed = {
        .num_cpus = 1, .num_nics = 1, .few_open = app_source_is_few_open(source)};
    return sim_run_estimate(ranks, stored != NULL ? stored : &computed, params, &options);
}

uint64_t app_capacity_run(app_source *source, uint32_t ranks, const sim_params *params,
                          const app_places *places, const noise_signature *noise, unsigned threads)
{
    const uint64_t noise_bytes = noise != NULL ? noise_injection_bytes(noise) : 0;
    return needs_of(source, ranks, params, places, threads).bytes +
           app_source_memory(source, ranks) + ranks * noise_bytes;
}

bool app_capacity_is_shared(app_source *source, uint32_t ranks, const sim_params *params,
                            const app_places *places, unsigned threads)
{
    return needs_of(source, ranks, params, places, threads).threads > 1;
}

bool app_capacity_check(app_source *source, uint32_t ranks, const sim_params *params,
                        const app_places *places, const noise_signature *noise, uint64_t more,
                        GError **error)
{
    const uint64_t run = app_capacity_run(source, ranks, params, places, noise, 1);
    return app_source_check_memory(source, ranks, run - app_source_memory(source, ranks) + more,
                                   error);
}

unsigned app_capacity_at_once(uint64_t run_bytes, uint64_t free_bytes, unsigned threads,
                              size_t tasks)
{
    const uint64_t fit = free_bytes / MAX(run_bytes, 1);
    return (unsigned)MAX(MIN(MIN(threads, fit), tasks), 1);
}

uint64_t app_capacity_process(app_source *source, uint32_t ranks, const sim_params *params,
                              const app_places *places, const noise_signature *noise,
                              unsigned threads, size_t runs)
{
    const uint64_t run = app_capacity_run(source, ranks, params, places, noise, threads);
    const unsigned at_once =
        app_capacity_at_once(run, app_memory_available() / 10 * 9, threads, runs);
    const unsigned each = MAX(threads / at_once, 1);
    return at_once * app_capacity_run(source, ranks, params, places, noise, each) + PROCESS_BYTES;
}
