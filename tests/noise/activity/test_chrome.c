/* tests/noise/activity/test_chrome.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "activity/any_trace.h"

static void random_traces_keep_to_the_format(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-chrome-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "trace.json", NULL);
    g_autoptr(GRand) random = g_rand_new_with_seed(11);
    for (unsigned round = 0; round < 6; round++) {
        g_autoptr(noise_nit) nit = any_trace_nit_new(random);
        g_autoptr(noise_activity) activity = noise_activity_new(nit, NULL, 0);
        g_autoptr(noise_activity_trace) trace = noise_activity_trace_new(activity, NULL, 0);
        g_autofree char *text = any_trace_text(trace, noise_chrome_write);
        CHECK(g_file_set_contents(path, text, -1, NULL));
        any_trace_judge("check_chrome", path, NULL);
    }
    g_unlink(path);
    g_rmdir(folder);
}

static void an_activity_is_an_event(void)
{
    g_autoptr(noise_nit) nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 1, 1000, 10001000);
    const uint32_t d = any_nit_add_thread(nit, 0, 7, 1, "a \"b\"\n", NOISE_PROGRAM_DAEMON, -1);
    any_nit_add(nit, d, 0, 2001000, 5001001, 3000000);
    g_autoptr(noise_activity) activity = noise_activity_new(nit, NULL, 0);
    g_autoptr(noise_activity_trace) trace = noise_activity_trace_new(activity, NULL, 0);
    g_autofree char *text = any_trace_text(trace, noise_chrome_write);
    CHECK(strstr(text, "{\"ph\":\"X\",\"pid\":2,\"tid\":1,\"ts\":2000.001,\"dur\":3000.000,"
                       "\"cat\":\"daemon\",\"name\":\"a \\\"b\\\"\\u000a\"") != NULL,
          "%s", text);
}

static void the_judge_finds_what_is_broken(void)
{
    static const any_trace_damage table[] = {
        {"\"traceEvents\"", "\"events\"", "no list traceEvents"},
        {"\"ph\":\"X\"", "\"ph\":\"Q\"", "ph is"},
        {"\"dur\":3000.000", "\"dur\":-1", "dur is"},
        {"\"ts\":2000.001", "\"ts\":\"2\"", "ts is"},
        {"\"displayTimeUnit\":\"ns\"", "\"displayTimeUnit\":\"s\"", "displayTimeUnit"},
        {"\"tid\":1,\"ts\"", "\"tid\":9,\"ts\"", "has no name"},
        {"\"name\":\"thread_name\",\"args\":{\"name\"",
         "\"name\":\"thread_name\",\"args\":{\"nam\"", "metadata"},
        {"\"ts\":6000.000,\"dur\":1000.000", "\"ts\":4000.000,\"dur\":3000.000", "overlap"},
    };
    g_autofree char *folder = g_dir_make_tmp("ripple-chrome-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "trace.json", NULL);
    g_autoptr(noise_nit) nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 1, 1000, 10001000);
    const uint32_t d = any_nit_add_thread(nit, 0, 7, 1, "crond", NOISE_PROGRAM_DAEMON, -1);
    any_nit_add(nit, d, 0, 2001000, 5001001, 3000000);
    any_nit_add(nit, d, 0, 6001000, 7001000, 1000000);
    g_autoptr(noise_activity) activity = noise_activity_new(nit, NULL, 0);
    g_autoptr(noise_activity_trace) trace = noise_activity_trace_new(activity, NULL, 0);
    g_autofree char *whole = any_trace_text(trace, noise_chrome_write);
    any_trace_judge_damaged("check_chrome", path, path, whole, table, G_N_ELEMENTS(table));
    g_unlink(path);
    g_rmdir(folder);
}

SUITE_MAIN("chrome", TEST(random_traces_keep_to_the_format), TEST(an_activity_is_an_event),
           TEST(the_judge_finds_what_is_broken))
