/* tests/sim/record/test_instant_table.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Against GLib's hash table, on keys few enough to meet again. */
#include "check.h"
#include "record/instant_table_private.h"

#include <glib.h>

#define SEED 20101113U

enum { KEYS = 5000, STEPS = 300000 };

static instant_key key_of(uint32_t number)
{
    return (instant_key){.rank = number % 7,
                         .op = number / 7,
                         .source = number % 3 == 0 ? UINT32_MAX : number % 5,
                         .kind = 1 + number % 8};
}

static void it_holds_what_was_put_there(void)
{
    GRand *random = g_rand_new_with_seed(SEED);
    g_autoptr(GHashTable) wanted = g_hash_table_new(NULL, NULL);
    instant_table table = {0};
    CHECK(sim_instant_find(&table, key_of(0)) == NULL && !sim_instant_remove(&table, key_of(0)));
    for (unsigned step = 0; step < STEPS; step++) {
        const uint32_t number = g_rand_int(random) % KEYS;
        const instant_key key = key_of(number);
        const instant *found = sim_instant_find(&table, key);
        gpointer value = NULL;
        const bool there =
            g_hash_table_lookup_extended(wanted, GUINT_TO_POINTER(number), NULL, &value);
        if (!CHECK((found != NULL) == there, "seed %u, step %u", SEED, step)) {
            break;
        }
        CHECK(found == NULL || found->at == (sim_time)GPOINTER_TO_UINT(value), "step %u", step);
        const bool filling = step / 20000 % 2 == 0; /* up and down */
        if (g_rand_int(random) % 4 < (filling ? 3U : 1U)) {
            sim_instant_put(&table, (instant){key, step, 2 * (sim_time)step});
            g_hash_table_insert(wanted, GUINT_TO_POINTER(number), GUINT_TO_POINTER(step));
        } else {
            CHECK(sim_instant_remove(&table, key) == there, "step %u", step);
            g_hash_table_remove(wanted, GUINT_TO_POINTER(number));
        }
        CHECK_I64(table.n, g_hash_table_size(wanted), "step %u", step);
    }
    sim_instant_table_clear(&table);
    g_rand_free(random);
}

SUITE_MAIN("instant_table", TEST(it_holds_what_was_put_there))
