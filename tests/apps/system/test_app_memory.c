/* tests/apps/system/test_app_memory.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What runs are thought to take of the memory, against what this process then takes. */
#include "check.h"
#include "experiment/capacity.h"
#include "experiment/experiment.h"
#include "sim/run.h"
#include "system/memory.h"

#include <glib/gstdio.h>
#include <sys/resource.h>
#include <unistd.h>

static void as_many_runs_go_at_once_as_there_are_threads_and_memory_for(void)
{
    static const uint64_t MIB = 1 << 20;
    const uint64_t much = UINT64_C(1) << 40;
    CHECK_I64(app_capacity_at_once(500 * MIB, much, 16, 100), 16);
    CHECK_I64(app_capacity_at_once(500 * MIB, much, 16, 3), 3);
    CHECK_I64(app_capacity_at_once(500 * MIB, 1100 * MIB, 64, 100), 2);
    CHECK_I64(app_capacity_at_once(500 * MIB, 1, 64, 100), 1);
}

static void a_limit_of_address_space_is_memory_that_is_not_there(void)
{
    static const uint64_t ROOM = UINT64_C(1) << 26;
    g_autofree char *text = NULL; /* pages */
    struct rlimit before;
    CHECK(g_file_get_contents("/proc/self/statm", &text, NULL, NULL));
    CHECK(getrlimit(RLIMIT_AS, &before) == 0);
    const uint64_t used = g_ascii_strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
    const struct rlimit tight = {used + ROOM, before.rlim_max};
    CHECK(app_memory_available() > ROOM);
    CHECK(setrlimit(RLIMIT_AS, &tight) == 0);
    const uint64_t available = app_memory_available();
    CHECK(setrlimit(RLIMIT_AS, &before) == 0);
    CHECK(available <= ROOM && available > ROOM / 2);
}

/* That the process takes as much is for the test below. */
static void a_recorded_application_takes_512_bytes_per_rank(void)
{
    char *argv[] = {NULL};
    g_autoptr(GError) error = NULL;
    app_program_options options = {0};
    g_autoptr(app_manifest) manifest = app_manifest_new("test", argv);
    g_autoptr(app_source) source = app_source_open(TRACE, &options, false, manifest, &error);
    g_assert_no_error(error);
    g_autoptr(sim_machine) machine = sim_machine_load("xt4", &error);
    g_assert_no_error(error);
    g_autoptr(noise_signature) noise = noise_signature_parse("jaguar", 1, &error);
    g_assert_no_error(error);
    for (uint32_t ranks = 1 << 14; ranks <= 1 << 20; ranks *= 4) {
        for (unsigned threads = 1; threads <= 2; threads++) {
            const uint64_t run =
                app_capacity_run(source, ranks, &machine->params, NULL, noise, threads);
            CHECK(run / ranks <= 512, "%u ranks, %u threads: %.1f bytes", ranks, threads,
                  (double)run / ranks);
        }
    }
}

/*
 * Every rank posts @p receives, sends as many messages, one after the other, and waits; it does so
 * ten times. @return the file, to be removed and freed
 */
static char *write_exchange(int receives)
{
    enum { RANKS = 8, TIMES = 10 };
    char *path = NULL;
    const int file = g_file_open_tmp("exchange-XXXXXX.ti", &path, NULL);
    g_assert_cmpint(file, >=, 0);
    close(file);
    g_autoptr(GString) text = g_string_new(NULL);
    for (int rank = 0; rank < RANKS; rank++) {
        g_string_append_printf(text, "%d init\n", rank);
        for (int k = 0; k < TIMES * receives; k++) {
            const int tag = k % receives;
            if (tag == 0 && k > 0) {
                g_string_append_printf(text, "%d waitall\n", rank);
            }
            if (tag == 0) {
                for (int t = 0; t < receives; t++) {
                    g_string_append_printf(text, "%d irecv %d %d 8\n", rank,
                                           (rank + RANKS - 1) % RANKS, t);
                }
            }
            g_string_append_printf(text, "%d send %d %d 8\n", rank, (rank + 1) % RANKS, tag);
        }
        g_string_append_printf(text, "%d waitall\n%d finalize\n", rank, rank);
    }
    g_assert_true(g_file_set_contents(path, text->str, -1, NULL));
    return path;
}

/* What is estimated before a program is built is what the engine says of the program. */
static void ranks_with_many_receives_posted_are_estimated_to_take_more(void)
{
    static const struct {
        int receives;
        bool few;
    } row[] = {{6, true}, {7, false}};
    char *argv[] = {NULL};
    const sim_run_options options = {.threads = 1};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *path = write_exchange(row[i].receives);
        app_program_options none = {0};
        g_autoptr(app_manifest) manifest = app_manifest_new("test", argv);
        g_autoptr(app_source) source = app_source_open(path, &none, false, manifest, &error);
        g_assert_no_error(error);
        g_autoptr(sim_machine) machine = sim_machine_load("xt4", &error);
        g_assert_no_error(error);
        for (uint32_t ranks = 1 << 12; ranks <= 1 << 18; ranks *= 8) {
            const uint64_t estimated =
                app_capacity_run(source, ranks, &machine->params, NULL, NULL, 1) -
                app_source_memory(source, ranks);
            const sim_program *program = app_source_program(source, ranks, &error);
            g_assert_no_error(error);
            CHECK(program->few_open == row[i].few, "%d receives", row[i].receives);
            CHECK_I64(estimated, sim_run_estimate(ranks, program, &machine->params, &options).bytes,
                      "%d receives, %u ranks", row[i].receives, ranks);
        }
        (void)g_remove(path);
    }
}

#ifndef __SANITIZE_ADDRESS__
/* Bytes; the most there has been. */
static double peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024;
}

static void check_estimate(const char *text, uint32_t ranks, unsigned threads)
{
    char *argv[] = {NULL};
    g_autoptr(GError) error = NULL;
    app_program_options options = {0};
    g_autoptr(app_manifest) manifest = app_manifest_new("test", argv);
    g_autoptr(app_source) source = app_source_open(text, &options, false, manifest, &error);
    g_assert_no_error(error);
    g_autoptr(sim_machine) machine = sim_machine_load("xt4", &error);
    g_assert_no_error(error);
    char jaguar[] = "jaguar";
    char one[] = "1";
    const app_noise_options noise_options = {.noise = jaguar, .replicas = one};
    g_auto(app_noise) noise = {0};
    (void)app_noise_options_resolve(&noise_options, NULL, NULL, 0, 1, manifest, &noise, &error);
    g_assert_no_error(error);
    const app_experiment experiment = {
        .source = source,
        .sizes = &ranks,
        .num_sizes = 1,
        .params = &machine->params,
        .noise = &noise,
        .threads = threads,
        .no_breakdown = true,
        .verb = "test",
        .quiet = true,
    };
    g_autoptr(app_results) results = app_experiment_run(&experiment, &error);
    g_assert_no_error(error);
    const double about = (double)app_capacity_process(source, ranks, &machine->params, NULL,
                                                      noise.signature, threads, 2);
    const double ratio = peak() / about;
    CHECK(ratio > 0.75 && ratio < 1.33, "%s at %u ranks on %u threads: %.0f MB, %.2f of the %.0f",
          text, ranks, threads, peak() / 1e6, ratio, about / 1e6);
}

/* Each larger than those before it: what counts is the most that this process ever took. */
static void the_process_takes_what_was_estimated(void)
{
    check_estimate(TRACE, 1 << 15, 1);
    check_estimate(TRACE, 1 << 15, 2);
    check_estimate(TRACE, (1 << 17) + (1 << 12), 2);
    g_autofree char *many = write_exchange(7);
    check_estimate(many, 1 << 17, 2);
    (void)g_remove(many);
}

SUITE_MAIN("app_memory", TEST(as_many_runs_go_at_once_as_there_are_threads_and_memory_for),
           TEST(a_limit_of_address_space_is_memory_that_is_not_there),
           TEST(a_recorded_application_takes_512_bytes_per_rank),
           TEST(ranks_with_many_receives_posted_are_estimated_to_take_more),
           TEST(the_process_takes_what_was_estimated))
#else
SUITE_MAIN("app_memory", TEST(as_many_runs_go_at_once_as_there_are_threads_and_memory_for),
           TEST(a_limit_of_address_space_is_memory_that_is_not_there),
           TEST(a_recorded_application_takes_512_bytes_per_rank),
           TEST(ranks_with_many_receives_posted_are_estimated_to_take_more))
#endif
