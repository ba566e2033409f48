/* tests/noise/miner/test_miner_label.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels follow length and period, and name all that fit; docs/noise-miner.md, section 2, step 7.
 */
#include "check.h"
#include "miner/label.h"

#include <glib.h>

static void labels_follow_length_and_period(void)
{
    static const struct {
        double length_us;
        double period_us;
        double hits;
        double cv;
        double preempted;
        const char *label;
    } rows[] = {
        {5, 4000, 100, 0, -1, "periodic 4ms (250 Hz tick)"},
        {5, 1000, 100, 0, -1, "periodic 1ms (1000 Hz tick)"},
        {5, 4050, 100, 0, -1, "periodic 4.05ms"},
        /* as long as a tick lasts, but no tick */
        {4000, 8000, 100, 0, -1, "periodic 8ms (time slices of another program)"},
        {4000, 4000, 100, 0, -1, "periodic 4ms (time slices of another program)"},
        {3000, 6000, 100, 0, 1, "preempted, periodic 6ms (time slices of another program)"},
        {4000, 100000, 100, 0, -1, "periodic 100ms"},
        /* several fit */
        {20, 1e6, 100, 0, -1,
         "periodic 1s (1 Hz tick of an isolated CPU or daemon that wakes every second)"},
        {2, 1e6, 100, 0, -1, "periodic 1s (1 Hz tick of an isolated CPU)"},
        {50000, 1e6, 100, 0, -1, "periodic 1s (throttling of real-time programs)"},
        {50000, 100000, 100, 0, -1,
         "periodic 100ms (CPU quota of a control group or scheduler quantum)"},
        {100, 100000, 100, 0, -1, "periodic 100ms"},
        {500, 60e6, 100, 0, -1, "periodic 60s (cron)"},
        /* what used the CPU itself was no tick */
        {5, 4000, 100, 0, 0, "slow code, periodic 4ms"},
        {5, 4000, 100, 0, 0.5, "partly preempted, periodic 4ms (250 Hz tick)"},
        {5, 0, 100, 3, -1, "bursty"},
        {5, 0, 100, 1, 1, "preempted, Poisson-like"},
        {5, 0, 100, 0.3, -1, "irregular"},
        {5, 0, 7, 3, -1, "rare"},
        {5, 0, 100, -1, -1, "rare"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const miner_character row = {
            .length = rows[i].length_us * (double)SIM_US,
            .period = rows[i].period_us * (double)SIM_US,
            .hits = rows[i].hits,
            .gap_cv = rows[i].cv,
            .preempted = rows[i].preempted,
            .quantum = 100 * SIM_MS,
        };
        g_autofree char *label = noise_miner_label_new(&row);
        CHECK_STR(label, rows[i].label, "row %zu", i);
    }
}

static void the_quantum_is_what_the_options_say(void)
{
    const miner_character row = {.length = 7.0 * (double)SIM_MS,
                                 .period = 42.0 * (double)SIM_MS,
                                 .hits = 100,
                                 .gap_cv = 0,
                                 .preempted = -1,
                                 .quantum = 42 * SIM_MS};
    g_autofree char *label = noise_miner_label_new(&row);
    CHECK_STR(label, "periodic 42ms (scheduler quantum)");
}

SUITE_MAIN("miner_label", TEST(labels_follow_length_and_period),
           TEST(the_quantum_is_what_the_options_say))
