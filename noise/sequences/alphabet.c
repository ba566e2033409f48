/* noise/sequences/alphabet.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_grammar. */
#include "sequences/alphabet.h"

#include <stddef.h>
#include <stdlib.h>

enum { FIRST = 32 };

static uint32_t *slot_of(const alphabet *a, uint64_t symbol)
{
    const uint32_t mask = 2 * a->cap - 1;
    /* 2^64 over the golden ratio: Knuth, 6.4 */
    uint32_t at = (uint32_t)(symbol * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
    while (a->slot[at] != 0 && a->symbol[a->slot[at] - 1] != symbol) {
        at = (at + 1) & mask;
    }
    return &a->slot[at];
}

uint32_t noise_alphabet_find(const alphabet *a, uint64_t symbol)
{
    return a->cap > 0 ? *slot_of(a, symbol) - 1 : UINT32_MAX; /* 0 - 1: none */
}

static uint64_t bytes_of(uint64_t cap)
{
    return cap * (sizeof(uint64_t) + 2 * sizeof(uint32_t));
}

uint64_t noise_alphabet_growth(const alphabet *a)
{
    return a->num < a->cap ? 0 : bytes_of(a->cap > 0 ? 2 * (uint64_t)a->cap : FIRST);
}

static bool grow(alphabet *a)
{
    const uint32_t cap = a->cap > 0 ? 2 * a->cap : FIRST;
    uint32_t *slot = calloc((size_t)2 * cap, sizeof *slot);
    uint64_t *symbol = realloc(a->symbol, cap * sizeof *symbol);
    a->symbol = symbol != NULL ? symbol : a->symbol;
    if (slot == NULL || symbol == NULL) {
        free(slot);
        return false;
    }
    free(a->slot);
    a->slot = slot;
    a->cap = cap;
    for (uint32_t i = 0; i < a->num; i++) {
        *slot_of(a, symbol[i]) = i + 1;
    }
    return true;
}

bool noise_alphabet_add(alphabet *a, uint64_t symbol)
{
    if (a->num == a->cap && !grow(a)) {
        return false;
    }
    a->symbol[a->num] = symbol;
    *slot_of(a, symbol) = a->num + 1;
    a->num++;
    return true;
}

uint64_t noise_alphabet_bytes(const alphabet *a)
{
    return bytes_of(a->cap);
}

void noise_alphabet_clear(alphabet *a)
{
    free(a->symbol);
    free(a->slot);
    *a = (alphabet){.symbol = NULL};
}
