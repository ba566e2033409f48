/* noise/grammar.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Sequitur: a grammar that makes exactly one string, built while the string is read (C.
 * Nevill-Manning, I. Witten, "Compression and Explanation Using Hierarchical Grammars", The
 * Computer Journal 40, 1997). What occurs again becomes a rule, so rules are the candidates for
 * typical sequences of calls (noise/sequences.h). Two things hold after every symbol:
 *
 *     P1   no pair of neighbours occurs twice in the grammar, unless the two overlap ("aaa")
 *     P2   every rule but the start is used at least twice
 *
 * No GLib. An object belongs to one thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct noise_grammar noise_grammar;

/**
 * The grammar of the empty string.
 * @param most_bytes that it may take; 0: whatever there is
 * @return owned by the caller; NULL: no memory
 */
noise_grammar *noise_grammar_new(uint64_t most_bytes);
void noise_grammar_free(noise_grammar *grammar); /* NULL is a no-op */

/**
 * One symbol more; any number may be a symbol. O(1) amortised; memory goes with the size of the
 * grammar, not with the string: 12 bytes a node, and 8 bytes for each slot of an index that is
 * between 3 and 6 tenths full.
 * @return false: no memory, or beyond the bound. Then the symbol is not part of the grammar, which
 *         stays that of the symbols before it, and no further one is taken. P1 need not hold then
 */
bool noise_grammar_append(noise_grammar *grammar, uint64_t symbol);

/**
 * As if by noise_grammar_append(), one after the other. Faster where the grammar is larger than the
 * caches: what the next symbol needs is fetched while one waits for what this one needs.
 * @param symbol [num] @return how many were taken; fewer than @p num: as there
 */
uint64_t noise_grammar_append_all(noise_grammar *grammar, const uint64_t *symbol, uint64_t num);

/** Symbols taken; bytes held; nodes in use: guards, symbols and rules on right-hand sides. */
uint64_t noise_grammar_length(const noise_grammar *grammar);
uint64_t noise_grammar_bytes(const noise_grammar *grammar);
uint64_t noise_grammar_nodes(const noise_grammar *grammar);

/** A rule as it stands: its right-hand side, what it stands for. */
typedef struct noise_rule {
    uint64_t length; /* symbols of what it expands to; > 0 but for the start of an empty string */
    uint64_t count;  /* how often it occurs in the derivation of the string; the start: 1 */
    uint32_t uses;   /* on right-hand sides; the start: 0 */
    uint32_t num;    /* items of its right-hand side */
    uint64_t first;  /* of them, in noise_rules.item */
} noise_rule;

/** An item of a right-hand side. */
typedef struct noise_rule_item {
    uint64_t symbol; /* where rule is 0 */
    uint32_t rule;   /* its index; 0, the start, which no rule uses: a symbol */
} noise_rule_item;

/** A grammar written down. Rule 0 is the start; the others follow in the order in which reading
 * the right-hand sides, from the start's on, meets them first. */
typedef struct noise_rules {
    uint64_t num_items;
    uint32_t num_rules;
    noise_rule *rule;      /* [num_rules] */
    noise_rule_item *item; /* [num_items] */
} noise_rules;

/** O(size of the grammar). @return owned by the caller; NULL: no memory */
noise_rules *noise_rules_new(const noise_grammar *grammar);
void noise_rules_free(noise_rules *rules); /* NULL is a no-op */

/**
 * What a rule stands for. O(its length).
 * @param out [rule[index].length] @return false: no memory
 */
bool noise_rules_expand(const noise_rules *rules, uint32_t index, uint64_t *out);

/**
 * Do P1, P2, the lengths and the lists hold? Slow and thorough: for tests and doubts. O(size of the
 * grammar x log).
 * @return NULL, or what is wrong, as a constant; "no memory" among it
 */
const char *noise_grammar_check(const noise_grammar *grammar);

#ifdef __cplusplus
}
#endif
