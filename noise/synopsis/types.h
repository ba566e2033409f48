/* noise/synopsis/types.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file The types of a synopsis, found by their number. */
#pragma once

#include "synopsis/histogram.h"
#include "synopsis/map.h"
#include "synopsis/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct miner_type {
    uint64_t type;
    char *name;      /* or NULL */
    uint64_t events; /* all */
    uint64_t slower; /* longer than expected, where that is known */
    miner_u128 excess;
} miner_type;

#define MINER_RECENT_TYPES 16

typedef struct miner_types {
    miner_type *type; /* [num] in the order first seen */
    uint32_t num;
    uint32_t cap;
    miner_map index;                     /* of each type */
    uint32_t recent[MINER_RECENT_TYPES]; /* what was found last: nearly always one of few */
} miner_types;

/** Is it there? */
bool noise_synopsis_types_have(const miner_types *types, uint64_t type);
/** Where it was not found recently. */
miner_type *noise_synopsis_types_find(miner_types *types, miner_memory *memory, uint64_t type);

/** Where among the recent ones it would be. */
static inline uint32_t noise_synopsis_types_place(uint64_t type)
{
    return (uint32_t)(type * UINT64_C(0x9e3779b97f4a7c15) >> 60); /* as in map.c */
}

/** The type of that number; made where there is none. @return NULL: no memory */
static inline miner_type *noise_synopsis_types_get(miner_types *t, miner_memory *memory,
                                                   uint64_t type)
{
    const uint32_t at = t->recent[noise_synopsis_types_place(type)];
    return at < t->num && t->type[at].type == type ? &t->type[at]
                                                   : noise_synopsis_types_find(t, memory, type);
}
/** Give it @p name [length], unless it has one that comes before in order of bytes. */
bool noise_synopsis_type_name(miner_type *type, miner_memory *memory, const char *name,
                              size_t length);
/**
 * The types in order of their numbers: [num] pointers. @return NULL: no memory; given back by the
 * caller with noise_synopsis_free()
 */
const miner_type **noise_synopsis_types_sorted(const miner_types *types, miner_memory *memory);
void noise_synopsis_types_clear(miner_types *types, miner_memory *memory);
