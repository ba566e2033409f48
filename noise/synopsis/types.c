/* noise/synopsis/types.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_synopsis. */
#include "synopsis/types.h"

#include <string.h>

#define FIRST_SLOTS 64                           /* a power of two */
#define GOLDEN      UINT64_C(0x9e3779b97f4a7c15) /* 2^64 over the golden ratio: Knuth, vol. 3, 6.4 */

/* The slot of a type, or the empty one where it would be. At most half of them are taken. */
static uint32_t find_slot(const miner_types *t, uint64_t type)
{
    uint32_t at = (uint32_t)(type * GOLDEN >> 32) & (t->num_slots - 1);
    while (t->slot[at] != 0 && t->type[t->slot[at] - 1].type != type) {
        at = (at + 1) & (t->num_slots - 1);
    }
    return at;
}

static bool more_slots(miner_types *t, miner_memory *memory)
{
    const uint32_t num = t->num_slots == 0 ? FIRST_SLOTS : 2 * t->num_slots;
    uint32_t *slot = noise_synopsis_new(memory, num, sizeof *slot);
    if (slot == NULL) {
        return false;
    }
    noise_synopsis_free(memory, t->slot, t->num_slots, sizeof *t->slot);
    t->slot = slot;
    t->num_slots = num;
    for (uint32_t i = 0; i < t->num; i++) {
        slot[find_slot(t, t->type[i].type)] = i + 1;
    }
    return true;
}

static miner_type *make(miner_types *t, miner_memory *memory, uint64_t type)
{
    if (2 * (uint64_t)t->num >= t->num_slots && !more_slots(t, memory)) {
        return NULL;
    }
    miner_type *grown = noise_synopsis_grow(memory, t->type, &t->cap, t->num + 1ULL, sizeof *grown);
    if (grown == NULL) {
        return NULL;
    }
    t->type = grown;
    grown[t->num] = (miner_type){.type = type};
    t->slot[find_slot(t, type)] = ++t->num;
    return &grown[t->num - 1];
}

bool noise_synopsis_types_have(const miner_types *t, uint64_t type)
{
    return t->num_slots > 0 && t->slot[find_slot(t, type)] != 0;
}

miner_type *noise_synopsis_types_get(miner_types *t, miner_memory *memory, uint64_t type)
{
    const uint32_t known = t->num_slots > 0 ? t->slot[find_slot(t, type)] : 0;
    return known != 0 ? &t->type[known - 1] : make(t, memory, type);
}

bool noise_synopsis_type_name(miner_type *type, miner_memory *memory, const char *name,
                              size_t length)
{
    if (type->name != NULL) {
        const int order = strncmp(type->name, name, length);
        if (order < 0 || (order == 0 && type->name[length] == '\0')) {
            return true;
        }
    }
    char *copy = noise_synopsis_new(memory, length + 1, 1);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, name, length);
    if (type->name != NULL) {
        noise_synopsis_free(memory, type->name, strlen(type->name) + 1, 1);
    }
    type->name = copy;
    return true;
}

void noise_synopsis_types_clear(miner_types *t, miner_memory *memory)
{
    for (uint32_t i = 0; i < t->num; i++) {
        if (t->type[i].name != NULL) {
            noise_synopsis_free(memory, t->type[i].name, strlen(t->type[i].name) + 1, 1);
        }
    }
    noise_synopsis_free(memory, t->type, t->cap, sizeof *t->type);
    noise_synopsis_free(memory, t->slot, t->num_slots, sizeof *t->slot);
    *t = (miner_types){.num = 0};
}
