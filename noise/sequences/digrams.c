/* noise/sequences/digrams.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_grammar. */
#include "sequences/digrams.h"

static inline uint32_t hash_of(uint32_t left, uint32_t right)
{
    /* Both factors are odd: 2^64 over the golden ratio (Knuth, 6.4), and one of MurmurHash3. */
    uint64_t x = ((uint64_t)left << 32 | right) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 32) * UINT64_C(0xff51afd7ed558ccd);
    return (uint32_t)(x >> 32);
}

/* By its highest bits: so slots keep their order when there are more of them. */
static inline uint32_t home_of(const digram_index *index, uint32_t hash)
{
    return hash >> (32 - index->bits);
}

digram_slot *noise_digrams_slot(const digram_index *index, const grammar_node *node, uint32_t left)
{
    const uint32_t first = node[left].value;
    const uint32_t second = node[node[left].next].value;
    const uint32_t hash = hash_of(first, second);
    const uint32_t mask = (1U << index->bits) - 1;
    uint32_t at = home_of(index, hash);
    for (;; at = (at + 1) & mask) {
        digram_slot *slot = &index->slot[at];
        if (slot->node == 0) {
            return slot;
        }
        if (slot->hash == hash && node[slot->node].value == first &&
            node[node[slot->node].next].value == second) {
            return slot;
        }
    }
}

void noise_digrams_expect(const digram_index *index, uint32_t first, uint32_t second)
{
    __builtin_prefetch(&index->slot[home_of(index, hash_of(first, second))], 1);
}

void noise_digrams_put(digram_slot *slot, const grammar_node *node, uint32_t left)
{
    slot->hash = hash_of(node[left].value, node[node[left].next].value);
    slot->node = left;
}

/* Empty a slot, and move up what was put behind it only because it was taken (Knuth, 6.4, R). */
static void close_gap(digram_index *index, uint32_t gap)
{
    const uint32_t mask = (1U << index->bits) - 1;
    for (uint32_t at = (gap + 1) & mask; index->slot[at].node != 0; at = (at + 1) & mask) {
        const uint32_t home = home_of(index, index->slot[at].hash);
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            index->slot[gap] = index->slot[at];
            gap = at;
        }
    }
    index->slot[gap].node = 0;
}

bool noise_digrams_remove(digram_index *index, const grammar_node *node, uint32_t left)
{
    const uint32_t mask = (1U << index->bits) - 1;
    const uint32_t hash = hash_of(node[left].value, node[node[left].next].value);
    uint32_t at = home_of(index, hash);
    while (index->slot[at].node != left) {
        if (index->slot[at].node == 0) {
            return false;
        }
        at = (at + 1) & mask;
    }
    close_gap(index, at);
    return true;
}

digram_slot *noise_digrams_grow(digram_index *index, digram_slot *slot)
{
    const digram_index old = *index;
    index->slot = slot;
    index->bits = old.bits + 1;
    const uint32_t mask = (1U << index->bits) - 1;
    for (uint32_t i = 0; i < 1U << old.bits; i++) {
        if (old.slot[i].node != 0) {
            uint32_t at = home_of(index, old.slot[i].hash);
            while (slot[at].node != 0) {
                at = (at + 1) & mask;
            }
            slot[at] = old.slot[i];
        }
    }
    return old.slot;
}
