/* schedgen/model/known.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_packed_calls. */
#include "model/known_private.h"

#include <glib.h>
#include <xxhash.h>

static void init(sched_known *k, uint32_t size)
{
    *k = (sched_known){.size = size};
    k->slot = g_new0(uint32_t, size);
    k->hash = g_new0(uint32_t, size);
}

void sched_known_init(sched_known *k)
{
    enum { FIRST = 64 };
    init(k, FIRST);
}

void sched_known_clear(sched_known *k)
{
    g_free(k->slot);
    g_free(k->hash);
}

uint32_t sched_known_hash(const void *bytes, size_t n)
{
    return (uint32_t)XXH3_64bits(bytes, n);
}

static void put(sched_known *k, uint32_t hash, uint32_t number)
{
    uint32_t at = hash & (k->size - 1);
    while (k->slot[at] != 0) {
        at = (at + 1) & (k->size - 1);
    }
    k->slot[at] = number + 1;
    k->hash[at] = hash;
    k->used++;
}

void sched_known_add(sched_known *k, uint32_t hash, uint32_t number)
{
    if (k->used >= k->size / 2) {
        sched_known larger;
        init(&larger, 2 * k->size);
        for (uint32_t i = 0; i < k->size; i++) {
            if (k->slot[i] != 0) {
                put(&larger, k->hash[i], k->slot[i] - 1);
            }
        }
        sched_known_clear(k);
        *k = larger;
    }
    put(k, hash, number);
}

bool sched_known_next(const sched_known *k, uint32_t hash, uint32_t *at, uint32_t *number)
{
    for (;;) {
        const uint32_t i = (*at)++ & (k->size - 1);
        if (k->slot[i] == 0) {
            return false;
        }
        if (k->hash[i] == hash) {
            *number = k->slot[i] - 1;
            return true;
        }
    }
}
