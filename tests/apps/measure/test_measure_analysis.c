/* tests/apps/measure/test_measure_analysis.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "measure/measure_analysis.h"
#include "measure/measure_print.h"
#include "noise/random.h"

#include <math.h>

/* A text of two columns: 20 us each 10 ms, 2 s, and in the second half 1 ms each 100 ms. */
static noise_detour_file *file_of(bool second)
{
    GString *text = g_string_new("# Benchmark Method: selfish\n");
    for (int k = 0; k < 200; k++) {
        g_string_append_printf(text, "%d.00\t20000.00\n", k * 10000000 + 1000);
        if (second && k >= 100 && k % 10 == 0) {
            g_string_append_printf(text, "%d.00\t1000000.00\n", k * 10000000 + 5000000);
        }
    }
    g_string_append(text, "# Measurement period: 2.00 s\n");
    GError *error = NULL;
    noise_detour_file *file = noise_detour_file_parse("made", text->str, text->len, &error);
    CHECK(file != NULL, "%s", error != NULL ? error->message : "");
    g_string_free(text, TRUE);
    return file;
}

/* By hand: 200 * 20 us + 10 * 1 ms of 2 s are 0.7 %; the second half has all of the 1 ms, so that
 * the interval is wide. P* of the tick: ln 2 * 10 ms / (20 us + 30 us); T / D = 500. */
static void shares_and_costs_are_those_of_a_hand(void)
{
    noise_detour_file *file = file_of(true);
    const char *path = "made";
    g_autoptr(app_measure_analysis) a = app_measure_analysis_new(&file, &path, 1, 30 * SIM_US);
    CHECK_NEAR(a->share, 0.007, 1e-9);
    CHECK(a->share_low < 0.0055 && a->share_low > 0.002 && a->share_high > 0.0085, "%g %g",
          a->share_low, a->share_high);
    CHECK_I64(a->num_detours, 210);
    CHECK_I64(a->quantiles[1].value, 20 * SIM_US);
    size_t tick = 0;
    while (tick < a->division->num_sources &&
           strcmp(a->division->sources[tick].name, "tick") != 0) {
        tick++;
    }
    if (CHECK(tick < a->division->num_sources, "no tick")) {
        CHECK_I64(a->division->sources[tick].count, 200);
        CHECK_NEAR(a->costs[tick].bottleneck, 138.63, 0.01);
        CHECK_NEAR(a->costs[tick].chained, 500, 0.01);
    }
}

/* Writing the sources and reading them back gives the same ones. */
static void a_divided_file_says_the_same_again(void)
{
    noise_detour_file *file = file_of(true);
    const char *path = "made";
    g_autoptr(app_measure_analysis) a = app_measure_analysis_new(&file, &path, 1, 10 * SIM_US);
    app_measure_analysis_divide(a, 0);
    g_autofree char *text = noise_detour_file_to_text(file, true);
    GError *error = NULL;
    noise_detour_file *again = noise_detour_file_parse("again", text, strlen(text), &error);
    if (!CHECK(again != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    g_autoptr(app_measure_analysis) b = app_measure_analysis_new(&again, &path, 1, 10 * SIM_US);
    CHECK_I64(b->division->num_sources, a->division->num_sources);
    for (size_t s = 0; s < b->division->num_sources; s++) {
        CHECK_STR(b->division->sources[s].name, a->division->sources[s].name);
        CHECK_I64(b->division->sources[s].count, a->division->sources[s].count);
    }
}

static void several_files_are_looked_at_together(void)
{
    noise_detour_file *files[] = {file_of(false), file_of(true)};
    static const char *const paths[] = {"a", "b"};
    g_autoptr(app_measure_analysis) a = app_measure_analysis_new(files, paths, 2, 10 * SIM_US);
    CHECK_I64(a->num_cpus, 2);
    CHECK_STR(a->names[1], "b run 1");
    CHECK_NEAR(a->share, 0.0045, 1e-9);
    CHECK_I64(a->time, 4 * SIM_S);
}

SUITE_MAIN("measure_analysis", TEST(shares_and_costs_are_those_of_a_hand),
           TEST(a_divided_file_says_the_same_again), TEST(several_files_are_looked_at_together))
