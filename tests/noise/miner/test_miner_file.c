/* tests/noise/miner/test_miner_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "miner/state.h"
#include "miner_oracle.h"
#include "noise/error.h"
#include "synopsis/packed.h"

#include <glib/gstdio.h>
#include <stdlib.h>

enum { EVENTS = 400 };

static void add_some(noise_miner *miner, uint32_t rank)
{
    for (int i = 0; i < EVENTS; i++) {
        const sim_time start = i * SIM_MS;
        const sim_time more = i % 10 == 0 ? 100 * SIM_US : 0;
        noise_miner_add(miner, rank, 1, start, start + 400 * SIM_US + more, -1);
    }
}

static char *write_file(const noise_miner *miner)
{
    size_t size = 0;
    uint8_t *bytes = noise_synopsis_pack(&miner->synopsis, &size);
    char *path = NULL;
    const int file = g_file_open_tmp("ripple-XXXXXX.synopsis", &path, NULL);
    CHECK(file >= 0 && g_file_set_contents(path, (const char *)bytes, (gssize)size, NULL));
    g_close(file, NULL);
    free(bytes);
    return path;
}

static char *report_of(noise_miner *miner)
{
    g_autoptr(noise_miner_report) report = noise_miner_report_new(miner);
    return oracle_print(report);
}

static void files_of_two_ranks_report_as_one_stream(void)
{
    g_autoptr(noise_miner) whole = modern_miner();
    g_autoptr(noise_miner) read = modern_miner();
    for (uint32_t rank = 0; rank < 2; rank++) {
        g_autoptr(noise_miner) part = modern_miner();
        g_autoptr(GError) error = NULL;
        add_some(whole, rank);
        add_some(part, rank);
        g_autofree char *path = write_file(part);
        CHECK(noise_miner_add_file(read, path, &error), "%s", error ? error->message : "");
        g_remove(path);
    }
    g_autofree char *a = report_of(whole);
    g_autofree char *b = report_of(read);
    CHECK_STR(b, a);
    CHECK_I64(noise_miner_lost(read), 0);
}

static void its_clock_is_that_of_the_miner_unless_told(void)
{
    for (sim_time told = 0; told < 2; told++) {
        g_autoptr(noise_miner) miner = modern_miner();
        g_autoptr(noise_miner) read = modern_miner();
        add_some(miner, 0);
        miner->synopsis.tick = SIM_NS;
        read->options.tick = told * SIM_US;
        g_autofree char *path = write_file(miner);
        CHECK(noise_miner_add_file(read, path, NULL));
        CHECK_I64(read->options.tick, told == 1 ? SIM_US : SIM_NS);
        g_remove(path);
    }
}

static void a_broken_file_or_another_mode_is_refused(void)
{
    noise_miner_options options;
    noise_miner_options_init(&options, NOISE_MINER_PAPER);
    g_autoptr(noise_miner) paper = noise_miner_new(&options);
    g_autoptr(noise_miner) modern = modern_miner();
    add_some(modern, 0);
    g_autofree char *path = write_file(modern);
    g_autoptr(GError) mode = NULL;
    g_autoptr(GError) broken = NULL;
    g_autoptr(GError) missing = NULL;
    CHECK(!noise_miner_add_file(paper, path, &mode));
    CHECK_ERROR(mode, "was not mined in this mode");
    CHECK(g_error_matches(mode, NOISE_ERROR, NOISE_ERROR_BAD_FILE));
    CHECK(g_file_set_contents(path, "ripplesy and more than a header has", -1, NULL));
    CHECK(!noise_miner_add_file(modern, path, &broken));
    CHECK_ERROR(broken, "of another version");
    CHECK_ERROR(broken, path);
    g_remove(path);
    CHECK(!noise_miner_add_file(modern, path, &missing));
    CHECK_ERROR(missing, path);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(modern);
    CHECK_I64(report->events, EVENTS);
}

SUITE_MAIN("miner_file", TEST(files_of_two_ranks_report_as_one_stream),
           TEST(its_clock_is_that_of_the_miner_unless_told),
           TEST(a_broken_file_or_another_mode_is_refused))
