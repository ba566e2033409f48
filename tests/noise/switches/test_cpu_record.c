/* tests/noise/switches/test_cpu_record.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/cpu_record.h"

#include <sys/syscall.h>
#include <unistd.h>

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
            CHECK(s->slice[i].out <= s->slice[i].in);
            CHECK(i == 0 || s->slice[i].out >= s->slice[i - 1].in);
            mine += s->slice[i].next_tid == (uint32_t)syscall(SYS_gettid) ? 1 : 0;
        }
    }
    CHECK(mine >= 10, "%zu", mine);
}

SUITE_MAIN("cpu_record", TEST(this_thread_is_seen_on_some_cpu))
