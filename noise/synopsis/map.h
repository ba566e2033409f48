/* noise/synopsis/map.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file From numbers of 64 bits to indices of 32. */
#pragma once

#include "synopsis/memory.h"

#include <stdbool.h>
#include <stdint.h>

#define MINER_NOWHERE UINT32_MAX

typedef struct miner_slot {
    uint64_t key;
    uint32_t index; /* + 1; 0: the slot is empty */
} miner_slot;

typedef struct miner_map {
    miner_slot *slot; /* [num_slots] open addressing; at most half of them are taken */
    uint32_t num_slots;
    uint32_t used;
} miner_map;

/** Its index; MINER_NOWHERE: it has none. */
uint32_t noise_synopsis_map_find(const miner_map *map, uint64_t key);
/** Give @p key, which has none, an index. @return false: no memory */
bool noise_synopsis_map_put(miner_map *map, miner_memory *memory, uint64_t key, uint32_t index);
void noise_synopsis_map_clear(miner_map *map, miner_memory *memory);
