/* noise/synopsis/map.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_synopsis. */
#include "synopsis/map.h"

#include <stddef.h>

#define FIRST_SLOTS 64                           /* a power of two */
#define GOLDEN      UINT64_C(0x9e3779b97f4a7c15) /* 2^64 over the golden ratio: Knuth, 6.4 */

/* The slot of a key, or the empty one where it would be. */
static uint32_t find_slot(const miner_map *map, uint64_t key)
{
    uint32_t at = (uint32_t)(key * GOLDEN >> 32) & (map->num_slots - 1);
    while (map->slot[at].index != 0 && map->slot[at].key != key) {
        at = (at + 1) & (map->num_slots - 1);
    }
    return at;
}

uint32_t noise_synopsis_map_find(const miner_map *map, uint64_t key)
{
    return map->num_slots > 0 ? map->slot[find_slot(map, key)].index - 1 : MINER_NOWHERE;
}

static bool grow(miner_map *map, miner_memory *memory)
{
    const miner_map old = *map;
    const uint32_t num = old.num_slots == 0 ? FIRST_SLOTS : 2 * old.num_slots;
    miner_slot *slot = noise_synopsis_new(memory, num, sizeof *slot);
    if (slot == NULL) {
        return false;
    }
    map->slot = slot;
    map->num_slots = num;
    for (uint32_t i = 0; i < old.num_slots; i++) {
        if (old.slot[i].index != 0) {
            slot[find_slot(map, old.slot[i].key)] = old.slot[i];
        }
    }
    noise_synopsis_free(memory, old.slot, old.num_slots, sizeof *old.slot);
    return true;
}

bool noise_synopsis_map_put(miner_map *map, miner_memory *memory, uint64_t key, uint32_t index)
{
    if (2 * (uint64_t)map->used >= map->num_slots && !grow(map, memory)) {
        return false;
    }
    map->slot[find_slot(map, key)] = (miner_slot){key, index + 1};
    map->used++;
    return true;
}

void noise_synopsis_map_clear(miner_map *map, miner_memory *memory)
{
    noise_synopsis_free(memory, map->slot, map->num_slots, sizeof *map->slot);
    *map = (miner_map){.slot = NULL};
}
