/* tests/schedgen/replay/test_replay_passes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes of a followed record that are known from one that was simulated, against the run of all.
 */
#include "check.h"
#include "data.h"
#include "few_trial.h"
#include "random_program.h"
#include "sched/replay.h"
#include "seeds.h"
#include "trace_random.h"

static const sim_params XT4 = {.L = 9900 * SIM_NS,
                               .o = 1750 * SIM_NS,
                               .g = 3400 * SIM_NS,
                               .G = 580 * SIM_RATE_PER_PS / 1000,
                               .S = 65535};

static sim_program *follow(const sched_trace *trace, const sched_convert_options *options)
{
    sched_convert_report report = {0};
    sim_program *program = sched_replay_new(trace, options, &report, NULL);
    sched_convert_report_clear(&report);
    return program;
}

static void bundled_records_settle_within_a_few_passes(void)
{
    enum { PASSES = 200 };
    static const char *const names[] = {"halo-cg-16", "ocean-pcg-16", "ocean-chrongear-16"};
    /* All ranks lose 6 us every 100 ms: a few passes of halo-cg, every one of the others. */
    const periodic_noise noise = {.noise = {.finish = periodic_noise_finish, .same = true},
                                  .period = 100 * SIM_MS,
                                  .length = 6 * SIM_US};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *relative = g_build_filename("../../apps/proxies/traces", names[i], NULL);
        g_autofree char *path = test_data(relative);
        g_autoptr(sched_trace) trace = sched_trace_read(path, NULL);
        sched_convert_options options = {.copies = 2, .repeat = PASSES};
        sim_program *program = follow(trace, &options);
        const sim_run_options ideal = {0};
        const sim_run_options noisy = {.noise = &noise.noise};
        const uint32_t simulated = few_trial_compare(program, &XT4, &ideal, names[i]).passes;
        CHECK(simulated > 0 && simulated <= 5, "%s: %u passes", names[i], simulated);
        const uint32_t under_noise = few_trial_compare(program, &XT4, &noisy, names[i]).passes;
        CHECK(i > 0 || (under_noise > 0 && under_noise < PASSES / 2), "%s: %u passes", names[i],
              under_noise);
        sim_program_free(program);
        options.resample = true; /* no pass computes what another does */
        program = follow(trace, &options);
        CHECK_I64(few_trial_compare(program, &XT4, &ideal, names[i]).passes, 0, "%s", names[i]);
        sim_program_free(program);
    }
}

/* @return in how many settings passes were known */
static unsigned compare(const sim_program *program, const char *name)
{
    unsigned some = 0;
    for (int i = 0; i < 12; i++) {
        const bool fits = i < 6;
        sim_params params = XT4;
        params.S = i & 1 ? 1000 : 65535;
        params.progress = fits || i & 2 ? SIM_PROGRESS_POLLING : SIM_PROGRESS_ASYNC;
        params.rendezvous = fits || i & 4 ? SIM_RENDEZVOUS_HANDSHAKE : SIM_RENDEZVOUS_INSTANT;
        const periodic_noise noise = {.noise = {.finish = periodic_noise_finish, .same = true},
                                      .period = (i % 3 == 2 ? 500 : 20000) * SIM_US,
                                      .length = 7 * SIM_US};
        const sim_run_options options = {.noise = i % 3 > 0 ? &noise.noise : NULL};
        g_autofree char *where = g_strdup_printf("%s, setting %d", name, i);
        some += few_trial_compare(program, &params, &options, where).passes > 0;
    }
    return some;
}

/* Something that nobody waits for may go on in the next pass: such programs are run. */
static void random_programs_are_those_of_all_passes(void)
{
    enum { PROGRAMS = SEEDS(300) };
    g_autoptr(GRand) rand = g_rand_new_with_seed(20261128);
    unsigned some = 0;
    for (int i = 0; i < PROGRAMS; i++) {
        g_autoptr(sched_trace) trace =
            trace_random_new(rand, (uint32_t)g_rand_int_range(rand, 1, 40));
        const sched_convert_options options = {.copies = (uint32_t)g_rand_int_range(rand, 1, 4),
                                               .repeat = (uint32_t)g_rand_int_range(rand, 3, 40),
                                               .wildcards = SCHED_WILDCARD_RECORDED};
        g_autofree char *name = g_strdup_printf("random program %d", i);
        sim_program *program = follow(trace, &options);
        some += program != NULL ? compare(program, name) : 0;
        sim_program_free(program);
    }
    CHECK(some >= PROGRAMS / 4, "in %u settings of %d programs", some, PROGRAMS);
}

SUITE_MAIN("replay_passes", TEST(bundled_records_settle_within_a_few_passes),
           TEST(random_programs_are_those_of_all_passes))
