/* noise/synopsis/memory.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Arrays that grow within a budget. Who mines inside other people's processes must not end them for
 * lack of memory, nor take what they need.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes that may be held and are. */
typedef struct miner_memory {
    uint64_t most; /* 0: whatever there is, and the process ends when there is no more */
    uint64_t used;
} miner_memory;

/** Zeroed. @return NULL: beyond the budget, or there is none */
void *noise_synopsis_new(miner_memory *memory, uint64_t num, size_t size);
/** Give back @p array of @p num elements. */
void noise_synopsis_free(miner_memory *memory, void *array, uint64_t num, size_t size);
/**
 * Make @p array hold @p wanted elements, at least twice as many as before if it must grow. The new
 * ones are not set.
 * @param cap how many it can hold @return the array; NULL: as in noise_synopsis_new(), nothing has
 * changed
 */
void *noise_synopsis_grow(miner_memory *memory, void *array, uint32_t *cap, uint64_t wanted,
                          size_t size);
