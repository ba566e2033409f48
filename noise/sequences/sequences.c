/* noise/sequences/sequences.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_matcher. */
#include "sequences/sequences_private.h"

#include <stdlib.h>
#include <string.h>

void noise_sequence_fallback(const noise_sequence *s, uint32_t *out)
{
    /* The longest proper beginning of s[0..i] that is its end, too. */
    out[0] = 0;
    for (uint32_t i = 1; i < s->length; i++) {
        out[i] = sequence_step(s, out, out[i - 1], s->symbol[i]);
    }
}

static bool is_in_range(const noise_sequence *sequence, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++) {
        if (sequence[i].length == 0 || sequence[i].length > NOISE_SEQUENCES_LONGEST) {
            return false;
        }
    }
    return num <= NOISE_SEQUENCES_MOST;
}

noise_sequences *noise_sequences_new(const noise_sequence *sequence, uint32_t num)
{
    noise_sequences *set = is_in_range(sequence, num) ? calloc(1, sizeof *set) : NULL;
    if (set == NULL) {
        return NULL;
    }
    size_t symbols = 0;
    for (uint32_t i = 0; i < num; i++) {
        symbols += sequence[i].length;
    }
    uint64_t *symbol = malloc(symbols * (sizeof(uint64_t) + sizeof(uint32_t)) + 1);
    if (symbol == NULL) {
        free(set);
        return NULL;
    }
    set->block = symbol;
    set->num = num;
    uint32_t *fallback = (uint32_t *)(symbol + symbols);
    for (uint32_t i = 0; i < num; i++) {
        const uint32_t length = sequence[i].length;
        memcpy(symbol, sequence[i].symbol, length * sizeof *symbol);
        set->sequence[i] = (noise_sequence){symbol, length, sequence[i].misaligned};
        noise_sequence_fallback(&set->sequence[i], fallback);
        set->fallback[i] = fallback;
        set->longest = length > set->longest ? length : set->longest;
        symbol += length;
        fallback += length;
    }
    return set;
}

void noise_sequences_free(noise_sequences *set)
{
    if (set != NULL) {
        free(set->block);
        free(set);
    }
}

uint32_t noise_sequences_num(const noise_sequences *set)
{
    return set->num;
}

const noise_sequence *noise_sequences_at(const noise_sequences *set, uint32_t index)
{
    return &set->sequence[index];
}

bool noise_sequence_count(const noise_sequence *sequence, const noise_symbols *symbols,
                          uint64_t *count)
{
    uint32_t *fallback = malloc(sequence->length * sizeof *fallback);
    if (fallback == NULL) {
        return false;
    }
    noise_sequence_fallback(sequence, fallback);
    uint32_t at = 0;
    *count = 0;
    for (uint64_t i = 0; i < symbols->num; i++) {
        at = sequence_step(sequence, fallback, at, symbols->symbol[i]);
        if (at == sequence->length) {
            ++*count;
            at = 0;
        }
    }
    free(fallback);
    return true;
}
