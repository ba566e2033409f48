/* tests/schedgen/model/test_by_number.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Things by their numbers, against GLib's hash table. */
#include "check.h"
#include "model/by_number_private.h"

#include <glib.h>

/* Numbers as requests have them: most are young; some stay. */
static uint64_t draw(GRand *rand, uint64_t next)
{
    static const uint64_t FAR = UINT64_C(0x9e3779b97f4a7c15);
    const uint32_t back = (uint32_t)g_rand_int_range(rand, 0, 200);
    return g_rand_int_range(rand, 0, 20) == 0 ? FAR * back : next - MIN(back, next);
}

static void random_changes_are_as_in_another_table(void)
{
    enum { CHANGES = 200000 };
    g_autoptr(GRand) rand = g_rand_new_with_seed(5);
    g_autoptr(GHashTable) other = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    static char things[CHANGES];
    sched_by_number table;
    sched_by_number_init(&table);
    for (uint32_t i = 0; i < CHANGES; i++) {
        const uint64_t number = draw(rand, i);
        void *expected = g_hash_table_lookup(other, &number);
        CHECK(sched_by_number_find(&table, number) == expected, "change %u", i);
        if (g_rand_int_range(rand, 0, 100) < (i / 2000 % 2 == 0 ? 60 : 40)) { /* grows, shrinks */
            sched_by_number_put(&table, number, &things[i]);
            g_hash_table_replace(other, g_memdup2(&number, sizeof number), &things[i]);
        } else {
            CHECK(sched_by_number_take(&table, number) == expected, "change %u", i);
            g_hash_table_remove(other, &number);
        }
        CHECK_I64(table.used, g_hash_table_size(other), "change %u", i);
    }
    sched_by_number_clear(&table);
}

SUITE_MAIN("by_number", TEST(random_changes_are_as_in_another_table))
