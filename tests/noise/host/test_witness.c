/* tests/noise/host/test_witness.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "host/witness.h"

#include <sched.h>

/* What it says of a tenth of a second agrees with itself, whatever else this machine does. */
static void what_happens_between_begin_and_end_is_told(void)
{
    const int cpu = sched_getcpu();
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    CHECK_I64(sched_setaffinity(0, sizeof set, &set), 0);
    noise_witness w = {0};
    noise_witness_begin(&w, (uint32_t)cpu);
    g_usleep(10000); /* one switch at least */
    const gint64 until = g_get_monotonic_time() + 100000;
    while (g_get_monotonic_time() < until) {
        (void)noise_witness_ask(&w);
    }
    noise_witness_rest(&w);
    const int64_t voluntary = w.voluntary;
    g_usleep(1000); /* it rests: not counted */
    noise_witness_end(&w, (uint32_t)cpu);
    CHECK(voluntary >= 1);
    CHECK_I64(w.voluntary, voluntary);
    CHECK(w.involuntary >= 0 && w.page_faults >= 0);
    CHECK_I64(w.presence.num_moved, 0);
    g_autoptr(GArray) growth =
        noise_interrupts_growth(w.interrupts[0], w.interrupts[1], (uint32_t)cpu);
    CHECK(noise_interrupts_total(growth) > 0); /* the timer that ended the sleep */
    if (w.records != NOISE_WITNESS_COUNTERS) {
        CHECK(w.num_switches >= 1);
        for (size_t i = 0; i < w.num_switches; i++) {
            CHECK(w.switches[i].out <= w.switches[i].in, "%zu", i);
        }
    } else {
        CHECK(w.refused != 0);
    }
    noise_witness_clear(&w);
    CHECK(w.switches == NULL);
}

SUITE_MAIN("witness", TEST(what_happens_between_begin_and_end_is_told))
