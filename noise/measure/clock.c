/* noise/measure/clock.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_selfish_loop. */
#include "measure/clock.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

static bool has_feature(unsigned leaf, unsigned edx_bit)
{
    unsigned a;
    unsigned b;
    unsigned c;
    unsigned d;
    return __get_cpuid(leaf, &a, &b, &c, &d) != 0 && (d >> edx_bit & 1) != 0;
}

/* The kernel watches the counter against other clocks, and leaves it when it strays. */
static bool kernel_distrusts_tsc(void)
{
    static const char *const instead[] = {"hpet", "acpi_pm", "refined-jiffies", "jiffies"};
    g_autofree char *source = NULL;
    if (!g_file_get_contents("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                             &source, NULL, NULL)) {
        return false;
    }
    g_strchomp(source);
    for (size_t i = 0; i < G_N_ELEMENTS(instead); i++) {
        if (g_str_equal(source, instead[i])) {
            return true;
        }
    }
    return false;
}

noise_clock noise_clock_choose(const char **why)
{
    enum { INVARIANT_LEAF = 0x80000007, INVARIANT_BIT = 8 };
    enum { RDTSCP_LEAF = 0x80000001, RDTSCP_BIT = 27 };
    if (!has_feature((unsigned)INVARIANT_LEAF, INVARIANT_BIT)) {
        *why = "the time stamp counter may stop or change its rate (not invariant)";
        return NOISE_CLOCK_SYSTEM;
    }
    if (kernel_distrusts_tsc()) {
        *why = "the kernel has given up the time stamp counter as its clock source";
        return NOISE_CLOCK_SYSTEM;
    }
    *why = "the time stamp counter is invariant";
    return has_feature((unsigned)RDTSCP_LEAF, RDTSCP_BIT) ? NOISE_CLOCK_RDTSCP : NOISE_CLOCK_RDTSC;
}

#elif defined(__aarch64__)
noise_clock noise_clock_choose(const char **why)
{
    *why = "the generic timer has a fixed rate";
    return NOISE_CLOCK_CNTVCT;
}
#else
noise_clock noise_clock_choose(const char **why)
{
    *why = "no counter of this processor is known";
    return NOISE_CLOCK_SYSTEM;
}
#endif

const char *noise_clock_name(noise_clock clock)
{
    static const char *const names[] = {[NOISE_CLOCK_SYSTEM] = "clock_gettime",
                                        [NOISE_CLOCK_RDTSCP] = "tsc (rdtscp)",
                                        [NOISE_CLOCK_RDTSC] = "tsc (lfence, rdtsc)",
                                        [NOISE_CLOCK_CNTVCT] = "cntvct"};
    return names[clock];
}

uint64_t noise_clock_read(noise_clock clock)
{
    switch (clock) {
#if defined(__x86_64__)
    case NOISE_CLOCK_RDTSCP:
        return noise_clock_read_rdtscp(NULL);
    case NOISE_CLOCK_RDTSC:
        return noise_clock_read_rdtsc(NULL);
#elif defined(__aarch64__)
    case NOISE_CLOCK_CNTVCT:
        return noise_clock_read_cntvct(NULL);
#endif
    default:
        return noise_clock_read_system(NULL);
    }
}
