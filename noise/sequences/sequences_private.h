/* noise/sequences/sequences_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A set of sequences with the tables of Knuth, Morris and Pratt (SIAM J. Comput. 6, 1977).
 */
#pragma once

#include "noise/sequences.h"

struct noise_sequences {
    uint32_t num;
    uint32_t longest; /* symbols; 0: no sequence */
    noise_sequence sequence[NOISE_SEQUENCES_MOST];
    const uint32_t *fallback[NOISE_SEQUENCES_MOST]; /* [length] each */
    void *block;                                    /* symbols and fallbacks of all */
};

/**
 * How many symbols are still matched when the one behind the first i + 1 is another than the
 * sequence has. O(length).
 * @param out [length]
 */
void noise_sequence_fallback(const noise_sequence *sequence, uint32_t *out);

/** One symbol more. @param at symbols matched before, < length @return and after; length: all */
static inline uint32_t sequence_step(const noise_sequence *sequence, const uint32_t *fallback,
                                     uint32_t at, uint64_t symbol)
{
    while (at > 0 && sequence->symbol[at] != symbol) {
        at = fallback[at - 1];
    }
    return at + (sequence->symbol[at] == symbol);
}
