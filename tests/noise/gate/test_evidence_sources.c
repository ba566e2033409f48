/* tests/noise/gate/test_evidence_sources.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/evidence_sources.h"

#include "../host/fake_root.h"

static const noise_evidence_source *find(const GArray *sources, const char *what)
{
    for (guint i = 0; i < sources->len; i++) {
        const noise_evidence_source *s = &g_array_index(sources, noise_evidence_source, i);
        if (g_str_equal(s->what, what)) {
            return s;
        }
    }
    return NULL;
}

static void a_machine_that_says_nothing_is_limited(void)
{
    char *root = fake_root_new();
    g_autoptr(GArray) sources = noise_evidence_sources(root);
    static const char *const files[] = {"interrupts", "steal", "quota", "core clock"};
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        const noise_evidence_source *s = find(sources, files[i]);
        CHECK(s != NULL && s->status == NOISE_EVIDENCE_LIMITED, "%s", files[i]);
    }
    fake_root_remove(root);
}

static void a_quota_is_told(void)
{
    char *root = fake_root_new();
    fake_root_put(root, "/proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
    fake_root_put(root, "/proc/self/cgroup", "0::/job\n");
    fake_root_put(root, "/sys/fs/cgroup/job/cpu.stat", "nr_throttled 0\nthrottled_usec 0\n");
    fake_root_put(root, "/sys/fs/cgroup/job/cpu.max", "50000 100000\n");
    g_autoptr(GArray) sources = noise_evidence_sources(root);
    const noise_evidence_source *s = find(sources, "quota");
    CHECK(s != NULL && s->status == NOISE_EVIDENCE_OK);
    CHECK_STR(s != NULL ? s->detail : "",
              "cgroup /job has a quota of 50 ms of every 100 ms: its stops are counted");
    fake_root_remove(root);
}

static void every_source_says_what_it_is_good_for(void)
{
    g_autoptr(GArray) sources = noise_evidence_sources("");
    CHECK_I64(sources->len, 7);
    for (guint i = 0; i < sources->len; i++) {
        const noise_evidence_source *s = &g_array_index(sources, noise_evidence_source, i);
        CHECK(strlen(s->what) > 2 && strlen(s->detail) > 10, "%s", s->what);
    }
    CHECK(find(sources, "interrupts")->status == NOISE_EVIDENCE_OK);
}

SUITE_MAIN("evidence_sources", TEST(a_machine_that_says_nothing_is_limited), TEST(a_quota_is_told),
           TEST(every_source_says_what_it_is_good_for))
