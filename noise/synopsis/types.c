/* noise/synopsis/types.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_synopsis. */
#include "synopsis/types.h"

#include <stdlib.h>
#include <string.h>

bool noise_synopsis_types_have(const miner_types *t, uint64_t type)
{
    return noise_synopsis_map_find(&t->index, type) != MINER_NOWHERE;
}

miner_type *noise_synopsis_types_find(miner_types *t, miner_memory *memory, uint64_t type)
{
    const uint32_t known = noise_synopsis_map_find(&t->index, type);
    if (known != MINER_NOWHERE) {
        t->recent[noise_synopsis_types_place(type)] = known;
        return &t->type[known];
    }
    miner_type *grown = noise_synopsis_grow(memory, t->type, &t->cap, t->num + 1ULL, sizeof *grown);
    if (grown == NULL) {
        return NULL;
    }
    t->type = grown;
    if (!noise_synopsis_map_put(&t->index, memory, type, t->num)) {
        return NULL;
    }
    grown[t->num] = (miner_type){.type = type};
    return &grown[t->num++];
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = (*(const miner_type *const *)a)->type;
    const uint64_t y = (*(const miner_type *const *)b)->type;
    return (x > y) - (x < y);
}

const miner_type **noise_synopsis_types_sorted(const miner_types *t, miner_memory *memory)
{
    const miner_type **sorted = noise_synopsis_new(memory, t->num, sizeof(void *));
    for (uint32_t i = 0; sorted != NULL && i < t->num; i++) {
        sorted[i] = &t->type[i];
    }
    if (sorted != NULL) {
        qsort(sorted, t->num, sizeof(void *), by_number);
    }
    return sorted;
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
    noise_synopsis_map_clear(&t->index, memory);
    *t = (miner_types){.num = 0};
}
