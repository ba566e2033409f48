/* tests/noise/miner/test_miner_stream.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* A simulated run as a stream: on any number of threads the same bytes, and detours of which events
 * met the rest only have their whole length. What must be found is the noise that was put in. */
#include "check.h"
#include "coll/program.h"
#include "miner_oracle.h"
#include "noise/injection.h"
#include "sim/run.h"

static const sim_params PARAMS = {
    .L = 6500 * SIM_NS, .o = 1750 * SIM_NS, .g = 3300 * SIM_NS, .S = 65535};

/* Barriers of @p ranks under @p noise. */
static noise_miner *mine(const char *noise, uint32_t ranks, uint32_t repeat, unsigned threads)
{
    const coll_call call = {.kind = COLL_BARRIER, .size = ranks, .bytes = 1};
    coll_algorithm algorithm;
    CHECK(coll_algorithm_parse("dissemination", &algorithm, NULL));
    sim_program *program = coll_program_new(&call, algorithm, repeat, NULL);
    g_autoptr(noise_signature) signature = noise_signature_parse(noise, 1, NULL);
    const noise_injection_options unsynchronized = {.seed = 1};
    g_autoptr(noise_injection) injection = noise_injection_new(signature, ranks, &unsynchronized);
    noise_miner *m = modern_miner();
    const sim_run_options options = {.noise = noise_injection_hook(injection),
                                     .sink = noise_miner_sink(m),
                                     .threads = threads,
                                     .serial_below = 1};
    g_autoptr(sim_result) result = sim_run(program, &PARAMS, &options, NULL);
    CHECK(result != NULL);
    sim_program_free(program);
    return m;
}

static void any_number_of_threads_gives_the_same_bytes(void)
{
    static const char *const noises[] = {"jaguar", "fixed:1kHz:50us@0-40", "poisson:50Hz:300us"};
    for (size_t i = 0; i < G_N_ELEMENTS(noises); i++) {
        g_autofree char *one = NULL;
        for (unsigned threads = 1; threads <= 3; threads++) {
            g_autoptr(noise_miner) m = mine(noises[i], 64, 60, threads);
            g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
            g_autofree char *text = oracle_print(report);
            if (threads == 1) {
                one = g_steal_pointer(&text);
            } else {
                CHECK_STR(text, one, "%s on %u threads", noises[i], threads);
            }
        }
    }
}

/* Ranks of back-to-back barriers mostly wait: a detour of 5.7 ms begins while they do. */
static void rests_on_waiting_ranks_have_their_whole_length(void)
{
    static const struct {
        const char *noise;
        sim_time length;
    } rows[] = {{"fixed:21.34ms:5.7ms", 5700 * SIM_US},
                {"fixed:1kHz:50us", 50 * SIM_US},
                {"fixed:100Hz:2ms@3,17", 2 * SIM_MS}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(noise_miner) m = mine(rows[i].noise, 32, 4000, 1);
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        g_autofree char *text = oracle_print(report);
        CHECK(report->num_rows > 0, "%s", rows[i].noise);
        CHECK_I64(report->residue_events, 0, "%s", text);
        uint32_t ranks = 0;
        double share = report->dropped_share;
        for (size_t k = 0; k < report->num_rows; k++) {
            const noise_miner_row *row = &report->rows[k];
            CHECK_I64(row->t_noise, rows[i].length, "%s", text);
            CHECK(row->partial <= 32, "%s", text); /* those that began before the run */
            ranks += row->num_ranks;
            share += row->share;
        }
        CHECK(i == 2 ? ranks == 2 : ranks >= 28 && ranks <= 32, "%s", text);
        /* Only what was met is lost: what lasted longer without anybody noticing is not. */
        double excess = 0;
        for (size_t k = 0; k < report->num_types; k++) {
            excess += report->types[k].excess;
        }
        CHECK_NEAR(share * report->run_time, excess, 1e-6 * excess, "%s", text);
    }
}

/* The length that is told does not depend on when in a detour the event begins. */
static void a_detour_since_the_beginning_is_as_long_as_was_seen(void)
{
    g_autoptr(noise_miner) m = mine("fixed:1Hz:999ms@1", 2, 3, 1);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    for (size_t i = 0; i < report->num_rows; i++) {
        CHECK(report->rows[i].t_noise <= 999 * SIM_MS);
    }
}

static void a_miner_may_listen_to_several_runs(void)
{
    g_autoptr(noise_miner) once = mine("fixed:1kHz:50us", 64, 100, 2);
    g_autoptr(noise_miner) sum = modern_miner();
    noise_miner_merge(sum, once); /* with its parts, before any report */
    g_autoptr(noise_miner_report) a = noise_miner_report_new(sum);
    g_autoptr(noise_miner_report) b = noise_miner_report_new(once);
    g_autofree char *x = oracle_print(a);
    g_autofree char *y = oracle_print(b);
    CHECK_STR(x, y);
}

SUITE_MAIN("miner_stream", TEST(any_number_of_threads_gives_the_same_bytes),
           TEST(rests_on_waiting_ranks_have_their_whole_length),
           TEST(a_detour_since_the_beginning_is_as_long_as_was_seen),
           TEST(a_miner_may_listen_to_several_runs))
