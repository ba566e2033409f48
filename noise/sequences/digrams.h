/* noise/sequences/digrams.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Where in a grammar a pair of neighbours (a digram) stands: a hash table with open addressing. A
 * slot has 32 bits of the hash beside the node: most of what is not there is found out without a
 * look at any node, and what lies behind a hole can be moved up without one.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/** The two highest bits of a value say what it is; a node given back has both. */
#define GRAMMAR_KIND   0xc0000000U
#define GRAMMAR_NUMBER 0x3fffffffU
#define GRAMMAR_SYMBOL 0U
#define GRAMMAR_RULE   0x40000000U
#define GRAMMAR_GUARD  0x80000000U
#define GRAMMAR_SPARE  0xc0000000U

typedef struct grammar_node {
    uint32_t prev, next;
    uint32_t value; /* a symbol's number, a rule's guard, or a guard with its rule's uses */
} grammar_node;

typedef struct digram_slot {
    uint32_t hash;
    uint32_t node; /* the left one; 0: empty */
} digram_slot;

typedef struct digram_index {
    digram_slot *slot; /* [2^bits]; the caller sees to it that at most 6 in 10 are taken */
    unsigned bits;     /* 1..31 */
} digram_index;

/**
 * The slot of the digram that begins at @p left; where there is none, an empty one.
 */
digram_slot *noise_digrams_slot(const digram_index *index, const grammar_node *node, uint32_t left);
/** The slot of this pair of values will be asked for soon: have it brought. */
void noise_digrams_expect(const digram_index *index, uint32_t first, uint32_t second);
/** Put @p left into an empty slot that noise_digrams_slot() gave. */
void noise_digrams_put(digram_slot *slot, const grammar_node *node, uint32_t left);
/** Remove the digram at @p left, if it is this one that is there. @return was it? */
bool noise_digrams_remove(digram_index *index, const grammar_node *node, uint32_t left);
/** Twice the slots. @param slot [2^(bits + 1)] zeroes @return the slots before, for the caller */
digram_slot *noise_digrams_grow(digram_index *index, digram_slot *slot);
