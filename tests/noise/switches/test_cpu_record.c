/* tests/noise/switches/test_cpu_record.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/cpu_record.h"

#include <sys/syscall.h>
#include <unistd.h>

/* What the kernel's buffers could not hold; a record without it may lack what is looked for. */
static uint64_t lost(const GArray *all)
{
    uint64_t n = 0;
    for (guint c = 0; c < all->len; c++) {
        n += g_array_index(all, noise_cpu_slices, c).lost;
    }
    return n;
}

static void this_thread_is_seen_on_some_cpu(void)
{
    g_autoptr(GError) error = NULL;
    noise_cpu_record *record = noise_cpu_record_start(&error);
    if (record == NULL) {
        SKIP_TEST("%s", error != NULL ? error->message : "no reason is given");
    }
    for (int i = 0; i < 20; i++) {
        g_usleep(3000);
    }
    g_autoptr(GArray) all = noise_cpu_record_stop(record);
    size_t mine = 0;
    for (guint c = 0; c < all->len; c++) {
        const noise_cpu_slices *s = &g_array_index(all, noise_cpu_slices, c);
        for (size_t i = 0; i < s->n; i++) {
            const uint64_t before = i > 0 ? s->slice[i - 1].in : 0;
            CHECK(before <= s->slice[i].out && s->slice[i].out <= s->slice[i].in,
                  "CPU %u, slice %zu of %zu: %" PRIu64 " .. %" PRIu64 " after %" PRIu64, s->cpu, i,
                  s->n, s->slice[i].out, s->slice[i].in, before);
            mine += s->slice[i].next_tid == (uint32_t)syscall(SYS_gettid) ? 1 : 0;
        }
    }
    if (lost(all) > 0) {
        SKIP_TEST("%" PRIu64 " switches were lost", lost(all));
    }
    CHECK(mine >= 10, "%zu", mine);
}

/* A program that is gone at once: who began it, and how it was called. */
static void programs_that_live_shortly_have_a_name(void)
{
    g_autoptr(GError) error = NULL;
    noise_cpu_record *record = noise_cpu_record_start(&error);
    if (record == NULL) {
        SKIP_TEST("%s", error != NULL ? error->message : "no reason is given");
    }
    char program[] = "true";
    char *argv[] = {program, NULL};
    CHECK(g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
    g_autoptr(GArray) all = noise_cpu_record_stop(record);
    const uint32_t me = (uint32_t)getpid();
    uint32_t child = 0;
    bool is_named = false;
    for (guint pass = 0; pass < 2; pass++) {
        for (guint c = 0; c < all->len; c++) {
            const noise_cpu_slices *s = &g_array_index(all, noise_cpu_slices, c);
            for (size_t i = 0; i < s->num_names; i++) {
                const noise_switch_name *n = &s->name[i];
                /* the thread that keeps the record began here, too, and is no child */
                const bool began = n->parent == me && n->pid != me;
                child = began ? n->pid : child;
                is_named = is_named || (child != 0 && n->pid == child && n->by == 0 &&
                                        strcmp(n->name, "true") == 0);
            }
        }
    }
    if (lost(all) > 0) {
        SKIP_TEST("%" PRIu64 " switches were lost", lost(all));
    }
    CHECK(child != 0, "of %u CPUs", all->len);
    CHECK(is_named, "child %u", child);
}

SUITE_MAIN("cpu_record", TEST(this_thread_is_seen_on_some_cpu),
           TEST(programs_that_live_shortly_have_a_name))
