/* tests/noise/host/test_cpu_time.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "fake_root.h"
#include "host/cpu_time.h"

static void columns_are_those_of_the_cpu(void)
{
    char *root = fake_root_new();
    fake_root_put(root, "/proc/stat",
                  "cpu  9 9 9 9 9 9 9 9 0 0\ncpu1 1 2 3 4 5 60 70 80 0 0\n"
                  "cpu10 1 2 3 4 5 6 7 8 0 0\nintr 5\n");
#define AT(cpu) "/sys/devices/system/cpu/cpu" #cpu "/thermal_throttle/"
    fake_root_put(root, AT(1) "core_throttle_count", "3\n");
    fake_root_put(root, AT(1) "package_throttle_count", "4\n");
    fake_root_put(root, AT(1) "package_power_limit_count", "9\n");
    const noise_cpu_time one = noise_cpu_time_read(root, 1);
    CHECK_I64(one.interrupts_ticks, 60);
    CHECK_I64(one.softirqs_ticks, 70);
    CHECK_I64(one.steal_ticks, 80);
    CHECK_I64(one.hot, 7);
    CHECK_I64(one.capped, 9);
    const noise_cpu_time ten = noise_cpu_time_read(root, 10);
    CHECK_I64(ten.steal_ticks, 8);
    CHECK_I64(ten.hot, -1);
    const noise_cpu_time none = noise_cpu_time_read(root, 0);
    CHECK_I64(none.steal_ticks, -1);
    fake_root_remove(root);
}

static void growth_is_not_known_without_both(void)
{
    CHECK_I64(noise_cpu_time_growth(3, 10), 7);
    CHECK_I64(noise_cpu_time_growth(3, 3), 0);
    CHECK_I64(noise_cpu_time_growth(-1, 10), -1);
    CHECK_I64(noise_cpu_time_growth(3, -1), -1);
}

SUITE_MAIN("cpu_time", TEST(columns_are_those_of_the_cpu), TEST(growth_is_not_known_without_both))
