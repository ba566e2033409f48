/* noise/synopsis/memory.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_synopsis. */
#include "synopsis/memory.h"

#include <stdio.h>
#include <stdlib.h>

#define FIRST 2 /* elements */

/* Within the budget? Without one, what cannot be had ends the process. */
static bool take(miner_memory *memory, uint64_t bytes)
{
    if (memory->most > 0 && (bytes > memory->most || memory->used > memory->most - bytes)) {
        return false;
    }
    memory->used += bytes;
    return true;
}

static void *checked(miner_memory *memory, void *array, uint64_t bytes)
{
    if (array == NULL) {
        if (memory->most == 0) {
            fprintf(stderr, "ripple: out of memory\n");
            abort();
        }
        memory->used -= bytes;
    }
    return array;
}

void *noise_synopsis_new(miner_memory *memory, uint64_t num, size_t size)
{
    const uint64_t bytes = num * size;
    return take(memory, bytes) ? checked(memory, calloc(num > 0 ? num : 1, size), bytes) : NULL;
}

void noise_synopsis_free(miner_memory *memory, void *array, uint64_t num, size_t size)
{
    if (array != NULL) {
        memory->used -= num * size;
        free(array);
    }
}

void *noise_synopsis_grow(miner_memory *memory, void *array, uint32_t *cap, uint64_t wanted,
                          size_t size)
{
    if (wanted <= *cap) {
        return array;
    }
    uint64_t num = *cap == 0 ? FIRST : 2 * (uint64_t)*cap;
    num = num < wanted ? wanted : num;
    const uint64_t more = (num - *cap) * size;
    if (num > UINT32_MAX || !take(memory, more)) {
        return NULL;
    }
    void *grown = checked(memory, realloc(array, num * size), more);
    *cap = grown != NULL ? (uint32_t)num : *cap;
    return grown;
}
