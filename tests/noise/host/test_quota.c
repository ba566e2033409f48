/* tests/noise/host/test_quota.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "fake_root.h"
#include "host/quota.h"

static void version_2_adds_up_the_groups_above(void)
{
    char *root = fake_root_new();
    fake_root_put(root, "/proc/self/mounts",
                  "proc /proc proc rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
    fake_root_put(root, "/proc/self/cgroup", "0::/job/step\n");
    fake_root_put(root, "/sys/fs/cgroup/job/step/cpu.stat",
                  "usage_usec 5\nnr_periods 9\nnr_throttled 0\nthrottled_usec 0\n");
    fake_root_put(root, "/sys/fs/cgroup/job/step/cpu.max", "max 100000\n");
    /* the quota is the job's, and so is the count */
    fake_root_put(root, "/sys/fs/cgroup/job/cpu.stat",
                  "usage_usec 5\nnr_periods 9\nnr_throttled 7\nthrottled_usec 350000\n");
    fake_root_put(root, "/sys/fs/cgroup/job/cpu.max", "50000 100000\n");
    fake_root_put(root, "/sys/fs/cgroup/cpu.stat", "usage_usec 5\n"); /* the root has no quota */
    g_auto(noise_quota) q = noise_quota_read(root);
    CHECK_I64(q.stops, 7);
    CHECK_I64(q.stop_ns, 350000000);
    CHECK_STR(q.group, "/job");
    CHECK_STR(q.limit, "50 ms of every 100 ms");
    fake_root_remove(root);
}

static void version_1_is_read_where_the_controller_is_mounted(void)
{
    char *root = fake_root_new();
    fake_root_put(root, "/proc/self/mounts",
                  "cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0\n"
                  "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,cpu,cpuacct 0 0\n"
                  "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n");
    fake_root_put(root, "/proc/self/cgroup", "4:cpuset:/\n3:cpu,cpuacct:/box\n0::/\n");
    fake_root_put(root, "/sys/fs/cgroup/cpu,cpuacct/box/cpu.stat",
                  "nr_periods 100\nnr_throttled 4\nthrottled_time 90000000\n");
    fake_root_put(root, "/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "20000\n");
    fake_root_put(root, "/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
    fake_root_put(root, "/sys/fs/cgroup/cpu,cpuacct/cpu.stat",
                  "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n");
    fake_root_put(root, "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    g_auto(noise_quota) q = noise_quota_read(root);
    CHECK_I64(q.stops, 4);
    CHECK_I64(q.stop_ns, 90000000);
    CHECK_STR(q.group, "/box");
    CHECK_STR(q.limit, "20 ms of every 100 ms");
    fake_root_remove(root);
}

static void in_a_container_the_root_is_the_own_group(void)
{
    char *root = fake_root_new();
    fake_root_put(root, "/proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
    fake_root_put(root, "/proc/self/cgroup", "0::/docker/4711\n"); /* not to be seen from here */
    fake_root_put(root, "/sys/fs/cgroup/cpu.stat", "nr_throttled 2\nthrottled_usec 10\n");
    g_auto(noise_quota) q = noise_quota_read(root);
    CHECK_I64(q.stops, 2);
    CHECK(q.limit == NULL);
    fake_root_remove(root);
}

static void without_a_controller_nothing_is_known(void)
{
    char *root = fake_root_new();
    g_auto(noise_quota) none = noise_quota_read(root);
    CHECK_I64(none.stops, -1);
    CHECK(none.group == NULL);
    fake_root_put(root, "/proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
    fake_root_put(root, "/proc/self/cgroup", "0::/\n");
    fake_root_put(root, "/sys/fs/cgroup/cpu.stat", "usage_usec 5\n");
    g_auto(noise_quota) q = noise_quota_read(root);
    CHECK_I64(q.stops, -1);
    fake_root_remove(root);
}

SUITE_MAIN("quota", TEST(version_2_adds_up_the_groups_above),
           TEST(version_1_is_read_where_the_controller_is_mounted),
           TEST(in_a_container_the_root_is_the_own_group),
           TEST(without_a_controller_nothing_is_known))
