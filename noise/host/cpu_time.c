/* host/cpu_time.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/cpu_time.h"

#include "host/host_file.h"

#include <stdlib.h>
#include <string.h>

/* Column @p wanted of "cpuN user nice system idle iowait irq softirq steal ...", from 1. */
static int64_t column_of(const char *stat, uint32_t cpu, int wanted)
{
    g_autofree char *key = g_strdup_printf("\ncpu%u ", cpu);
    const char *line = stat != NULL ? strstr(stat, key) : NULL;
    int64_t value = -1;
    if (line != NULL) {
        line += strlen(key);
        for (int column = 1; column <= wanted; column++) {
            char *end;
            value = strtoll(line, &end, 10);
            if (end == line) {
                return -1;
            }
            line = end;
        }
    }
    return value;
}

/* The sum of those that are there. */
static int64_t sum_of(const char *root, const char *first, const char *second, uint32_t cpu)
{
    const int64_t a = noise_host_file_number(root, first, cpu);
    const int64_t b = noise_host_file_number(root, second, cpu);
    return a >= 0 && b >= 0 ? a + b : MAX(a, b);
}

noise_cpu_time noise_cpu_time_read(const char *root, uint32_t cpu)
{
    enum { IRQ = 6, SOFTIRQ = 7, STEAL = 8 };
    g_autofree char *stat = noise_host_file_text(root, "/proc/stat", 0);
#define THROTTLE "/sys/devices/system/cpu/cpu%u/thermal_throttle/"
    return (noise_cpu_time){
        .interrupts_ticks = column_of(stat, cpu, IRQ),
        .softirqs_ticks = column_of(stat, cpu, SOFTIRQ),
        .steal_ticks = column_of(stat, cpu, STEAL),
        .hot = sum_of(root, THROTTLE "core_throttle_count", THROTTLE "package_throttle_count", cpu),
        .capped = sum_of(root, THROTTLE "core_power_limit_count",
                         THROTTLE "package_power_limit_count", cpu)};
#undef THROTTLE
}

int64_t noise_cpu_time_growth(int64_t then, int64_t now)
{
    return then >= 0 && now >= then ? now - then : -1;
}
