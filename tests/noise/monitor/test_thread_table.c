/* tests/noise/monitor/test_thread_table.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "monitor/thread_table.h"

/* Against a hash table of GLib, through growing and with numbers that collide. */
static void it_holds_what_was_added_and_not_removed(void)
{
    thread_table table;
    noise_thread_table_init(&table);
    g_autoptr(GHashTable) wanted = g_hash_table_new(NULL, NULL);
    g_autoptr(GRand) random = g_rand_new_with_seed(3);
    for (int step = 0; step < 60000; step++) {
        const uint32_t tid = 1 + (uint32_t)g_rand_int_range(random, 0, 6000) * 4096;
        watched_thread *found = noise_thread_table_find(&table, tid);
        const bool there = g_hash_table_contains(wanted, GUINT_TO_POINTER(tid));
        CHECK((found != NULL) == there, "step %d", step);
        if (found == NULL) {
            noise_thread_table_add(&table, tid + 1, tid)->active = tid;
            (void)g_hash_table_add(wanted, GUINT_TO_POINTER(tid));
        } else {
            CHECK(found->tid == tid && found->active == tid && found->pid == tid + 1);
            if (g_rand_int_range(random, 0, 3) == 0) {
                noise_thread_table_remove(&table, (uint32_t)(found - table.threads));
                (void)g_hash_table_remove(wanted, GUINT_TO_POINTER(tid));
            }
        }
    }
    CHECK_I64(table.num, g_hash_table_size(wanted));
    CHECK(table.num > 1024, "it has grown");
    while (table.num > 0) {
        noise_thread_table_remove(&table, table.num / 2);
    }
    CHECK(noise_thread_table_find(&table, 1) == NULL);
    noise_thread_table_clear(&table);
}

SUITE_MAIN("thread_table", TEST(it_holds_what_was_added_and_not_removed))
