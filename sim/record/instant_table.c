/* sim/record/instant_table.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear probing; what is removed is closed up by what stands behind it, so nothing is in its way.
 */
#include "record/instant_table_private.h"

#include <glib.h>

enum { FIRST_SLOTS = 1024 };

static size_t place_of(const instant_table *table, instant_key key)
{
    uint64_t h = (uint64_t)key.rank << 32 | key.op;
    h = (h ^ (uint64_t)key.source << 3 ^ key.kind) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ h >> 32) * UINT64_C(0xbf58476d1ce4e5b9);
    return (h ^ h >> 29) & table->mask;
}

static bool is_same(instant_key a, instant_key b)
{
    return a.rank == b.rank && a.op == b.op && a.source == b.source && a.kind == b.kind;
}

/* Its slot, or the free slot where it would be. */
static instant *slot_of(const instant_table *table, instant_key key)
{
    size_t i = place_of(table, key);
    while (table->slot[i].key.kind != INSTANT_NONE && !is_same(table->slot[i].key, key)) {
        i = (i + 1) & table->mask;
    }
    return &table->slot[i];
}

const instant *sim_instant_find(const instant_table *table, instant_key key)
{
    const instant *found = table->slot != NULL ? slot_of(table, key) : NULL;
    return found != NULL && found->key.kind != INSTANT_NONE ? found : NULL;
}

static void grow(instant_table *table)
{
    const instant_table old = *table;
    const size_t slots = old.slot != NULL ? 2 * (old.mask + 1) : FIRST_SLOTS;
    table->slot = g_new0(instant, slots);
    table->mask = slots - 1;
    for (size_t i = 0; old.slot != NULL && i <= old.mask; i++) {
        if (old.slot[i].key.kind != INSTANT_NONE) {
            *slot_of(table, old.slot[i].key) = old.slot[i];
        }
    }
    g_free(old.slot);
}

void sim_instant_put(instant_table *table, instant in)
{
    if (table->slot == NULL || 4 * table->n >= 3 * table->mask) {
        grow(table);
    }
    instant *slot = slot_of(table, in.key);
    table->n += slot->key.kind == INSTANT_NONE;
    *slot = in;
}

bool sim_instant_remove(instant_table *table, instant_key key)
{
    instant *gap = table->slot != NULL ? slot_of(table, key) : NULL;
    if (gap == NULL || gap->key.kind == INSTANT_NONE) {
        return false;
    }
    table->n--;
    size_t free_at = (size_t)(gap - table->slot);
    for (size_t i = (free_at + 1) & table->mask; table->slot[i].key.kind != INSTANT_NONE;
         i = (i + 1) & table->mask) {
        const size_t from = place_of(table, table->slot[i].key);
        if (((i - from) & table->mask) >= ((i - free_at) & table->mask)) { /* it may be there */
            table->slot[free_at] = table->slot[i];
            free_at = i;
        }
    }
    table->slot[free_at].key.kind = INSTANT_NONE;
    return true;
}

void sim_instant_table_clear(instant_table *table)
{
    g_free(table->slot);
    *table = (instant_table){0};
}
