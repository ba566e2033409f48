/* tests/noise/host/test_frequency.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "fake_root.h"
#include "host/frequency.h"

static void events_are_found_by_name(void)
{
    char *root = fake_root_new();
    fake_root_put(root, "/sys/bus/event_source/devices/msr/events/aperf", "event=0x01\n");
    fake_root_put(root, "/sys/bus/event_source/devices/msr/events/odd", "umask=0x01\n");
    CHECK_I64(noise_frequency_event(root, "aperf"), 1);
    CHECK_I64(noise_frequency_event(root, "mperf"), -1);
    CHECK_I64(noise_frequency_event(root, "odd"), -1);
    noise_frequency f = noise_frequency_open(root); /* one of them is not enough */
    CHECK_I64(f.aperf, -1);
    CHECK_I64(f.mperf, -1);
    const noise_frequency_counts none = noise_frequency_read(&f);
    CHECK(!none.known);
    noise_frequency_close(&f);
    fake_root_remove(root);
}

static void the_ratio_is_that_of_the_growths(void)
{
    const noise_frequency_counts a = {1000, 5000, true};
    const noise_frequency_counts b = {1700, 6000, true};
    const noise_frequency_counts not_known = {9000, 9000, false};
    CHECK_NEAR(noise_frequency_ratio(&a, &b), 0.7, 1e-12);
    CHECK(noise_frequency_ratio(&a, &not_known) == 0);
    CHECK(noise_frequency_ratio(&b, &b) == 0); /* the core was idle all the time */
}

static void this_core_runs_at_a_clock_that_makes_sense(void)
{
    noise_frequency f = noise_frequency_open("");
    if (f.aperf < 0) {
        SKIP_TEST("this processor or kernel does not tell how fast a core runs");
    }
    const noise_frequency_counts a = noise_frequency_read(&f);
    const gint64 until = g_get_monotonic_time() + 50000;
    while (g_get_monotonic_time() < until) {
    }
    const noise_frequency_counts b = noise_frequency_read(&f);
    noise_frequency_close(&f);
    const double ratio = noise_frequency_ratio(&a, &b);
    CHECK(ratio > 0.05 && ratio < 5, "%g", ratio);
}

SUITE_MAIN("frequency", TEST(events_are_found_by_name), TEST(the_ratio_is_that_of_the_growths),
           TEST(this_core_runs_at_a_clock_that_makes_sense))
