/* tests/noise/measure/test_clock_sync.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "measure/calibrate.h"
#include "measure/clock_sync.h"
#include "measure/cpu_list.h"

#include <math.h>

/* The kernel keeps one time for all CPUs: the counters that it trusts, and its own clock, agree. */
static void cpus_of_this_machine_have_one_time(void)
{
    const char *why;
    const noise_clock chosen = noise_clock_choose(&why);
    size_t n = 0;
    g_autofree uint32_t *cpus = noise_cpu_list_inherited(&n);
    if (n < 2) {
        SKIP_TEST("this process has one CPU");
    }
    n = MIN(n, 4);
    const noise_anchor a = noise_anchor_take(chosen);
    g_usleep(50000);
    const noise_anchor b = noise_anchor_take(chosen);
    const double rates[] = {noise_anchor_rate(&a, &b), 1e9};
    const noise_clock clocks[] = {chosen, NOISE_CLOCK_SYSTEM};
    for (size_t c = 0; c < G_N_ELEMENTS(clocks); c++) {
        g_autofree noise_gate_offset *out = g_new0(noise_gate_offset, n);
        noise_clock_compare(clocks[c], rates[c], cpus, n, out);
        CHECK(out[0].ns == 0);
        for (size_t i = 1; i < n; i++) { /* a busy CPU may give up: then it is 0 within 0 */
            CHECK(fabs(out[i].ns) <= out[i].within_ns + 50, "CPU %u: %g +- %g ns", cpus[i],
                  out[i].ns, out[i].within_ns);
        }
    }
}

/* Nobody answers while the other asks; what is found all the same is true. */
static void a_pair_on_one_cpu_does_not_hang(void)
{
    size_t n = 0;
    g_autofree uint32_t *cpus = noise_cpu_list_inherited(&n);
    const uint32_t twice[] = {cpus[0], cpus[0]};
    noise_gate_offset out[2];
    const gint64 begin = g_get_monotonic_time();
    noise_clock_compare(NOISE_CLOCK_SYSTEM, 1e9, twice, 2, out);
    CHECK(g_get_monotonic_time() - begin < (gint64)5 * G_USEC_PER_SEC);
    CHECK(fabs(out[1].ns) <= out[1].within_ns + 50);
}

SUITE_MAIN("clock_sync", TEST(cpus_of_this_machine_have_one_time),
           TEST(a_pair_on_one_cpu_does_not_hang))
