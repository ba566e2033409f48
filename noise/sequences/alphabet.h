/* noise/sequences/alphabet.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Symbols of 64 bits, numbered as they are met. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct alphabet {
    uint64_t *symbol;  /* [cap] by number */
    uint32_t *slot;    /* [2 x cap] number + 1; 0: empty; open addressing */
    uint32_t num, cap; /* cap: a power of two, or 0 */
} alphabet;

/** The number of a symbol; UINT32_MAX: it has none. O(1). */
uint32_t noise_alphabet_find(const alphabet *a, uint64_t symbol);
/** Bytes that noise_alphabet_add() takes before the old ones are given back; 0: there is room. */
uint64_t noise_alphabet_growth(const alphabet *a);
/** Number a symbol that has no number yet. @return false: no memory */
bool noise_alphabet_add(alphabet *a, uint64_t symbol);
uint64_t noise_alphabet_bytes(const alphabet *a);
void noise_alphabet_clear(alphabet *a);
