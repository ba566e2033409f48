/* noise/sequences/typical.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which rules of a grammar are typical sequences: SC'07, section 2.2.
 */
#include "noise/grammar.h"
#include "noise/sequences.h"
#include "sequences/alphabet.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST = 8,       /* as the paper took of CG */
    MIN_LENGTH = 2, /* the shortest rules there are */
    MIN_COUNT = 2,
    MOST_TRIED = 1000,
    ALIKE = 20, /* counts that differ by a 20th are aligned */
};

typedef struct candidate {
    uint64_t length;
    uint32_t rule;
} candidate;

typedef struct choice {
    const noise_symbols *ranks;
    uint32_t num_ranks;
    noise_sequences_options options;
    noise_rules *rules;
    candidate *candidates;
    alphabet finer;    /* symbols of the grammar, if they are others than those matched, … */
    uint64_t *matched; /* [finer.cap] … and which are matched in their place */
    noise_sequence accepted[NOISE_SEQUENCES_MOST];
    uint64_t *symbols[NOISE_SEQUENCES_MOST]; /* theirs, owned */
    uint32_t num_accepted;
    noise_sequences_found found;
} choice;

/* The longest first; of equally long ones the one that the grammar has first. */
static int by_length(const void *a, const void *b)
{
    const candidate *x = a;
    const candidate *y = b;
    if (x->length != y->length) {
        return x->length > y->length ? -1 : 1;
    }
    return x->rule < y->rule ? -1 : x->rule > y->rule;
}

static noise_sequences_options with_defaults(const noise_sequences_options *given)
{
    noise_sequences_options o = *given;
    o.most = o.most == 0 ? MOST : o.most;
    o.most = o.most < NOISE_SEQUENCES_MOST ? o.most : NOISE_SEQUENCES_MOST;
    o.min_length = o.min_length == 0 ? MIN_LENGTH : o.min_length;
    o.min_count = o.min_count == 0 ? MIN_COUNT : o.min_count;
    o.most_tried = o.most_tried == 0 ? MOST_TRIED : o.most_tried;
    return o;
}

/* Which symbol is matched in place of each of the grammar. @return false: no memory */
static bool map_finer(choice *c)
{
    const noise_symbols *calls = &c->ranks[c->options.abstracted];
    for (uint64_t i = 0; c->options.finer != NULL && i < calls->num; i++) {
        if (noise_alphabet_find(&c->finer, c->options.finer[i]) != UINT32_MAX) {
            continue;
        }
        if (!noise_alphabet_add(&c->finer, c->options.finer[i])) {
            return false;
        }
        uint64_t *matched = realloc(c->matched, c->finer.cap * sizeof *matched);
        if (matched == NULL) {
            return false;
        }
        c->matched = matched;
        matched[c->finer.num - 1] = calls->symbol[i];
    }
    return true;
}

/* What a rule stands for, as it is matched. @return false: no memory */
static bool expand(const choice *c, uint32_t rule, uint64_t *out)
{
    if (!noise_rules_expand(c->rules, rule, out)) {
        return false;
    }
    for (uint64_t i = 0; c->matched != NULL && i < c->rules->rule[rule].length; i++) {
        out[i] = c->matched[noise_alphabet_find(&c->finer, out[i])];
    }
    return true;
}

static noise_rules *rules_of(const choice *c)
{
    const noise_symbols *calls = &c->ranks[c->options.abstracted];
    const uint64_t *symbol = c->options.finer != NULL ? c->options.finer : calls->symbol;
    noise_grammar *grammar = noise_grammar_new(0);
    const bool made =
        grammar != NULL && noise_grammar_append_all(grammar, symbol, calls->num) == calls->num;
    noise_rules *rules = made ? noise_rules_new(grammar) : NULL;
    noise_grammar_free(grammar);
    return rules;
}

static bool list_candidates(choice *c)
{
    c->candidates = malloc(c->rules->num_rules * sizeof *c->candidates);
    if (c->candidates == NULL) {
        return false;
    }
    uint32_t n = 0;
    for (uint32_t r = 1; r < c->rules->num_rules; r++) {
        const uint64_t length = c->rules->rule[r].length;
        if (length >= c->options.min_length && length <= NOISE_SEQUENCES_LONGEST) {
            c->candidates[n++] = (candidate){length, r};
        }
    }
    qsort(c->candidates, n, sizeof *c->candidates, by_length);
    c->found.num_rules = c->rules->num_rules - 1;
    c->found.candidates = n;
    return true;
}

static bool is_known(const choice *c, const uint64_t *symbol, uint32_t length)
{
    for (uint32_t i = 0; i < c->num_accepted; i++) {
        if (c->accepted[i].length == length &&
            memcmp(c->accepted[i].symbol, symbol, length * sizeof *symbol) == 0) {
            return true;
        }
    }
    return false;
}

/* Take a sequence in if every rank has it often enough. @return false: no memory */
static bool judge(choice *c, const uint64_t *symbol, uint32_t length, bool *accepted)
{
    noise_sequence *s = &c->accepted[c->num_accepted];
    *s = (noise_sequence){symbol, length, false};
    uint64_t least = UINT64_MAX;
    uint64_t greatest = 0;
    for (uint32_t r = 0; r < c->num_ranks && least >= c->options.min_count; r++) {
        uint64_t count = 0;
        if (!noise_sequence_count(s, &c->ranks[r], &count)) {
            return false;
        }
        least = count < least ? count : least;
        greatest = count > greatest ? count : greatest;
    }
    *accepted = least >= c->options.min_count;
    if (*accepted) {
        s->misaligned = (greatest - least) * ALIKE > greatest;
        c->found.least[c->num_accepted] = least;
        c->found.greatest[c->num_accepted] = greatest;
        c->num_accepted++;
    }
    return true;
}

static bool choose(choice *c)
{
    for (uint32_t i = 0; i < c->found.candidates && c->num_accepted < c->options.most &&
                         c->found.tried < c->options.most_tried;
         i++) {
        const uint32_t length = (uint32_t)c->candidates[i].length;
        uint64_t *symbol = malloc(length * sizeof *symbol);
        bool accepted = false;
        c->found.tried++;
        bool ok = symbol != NULL && expand(c, c->candidates[i].rule, symbol);
        if (ok && !is_known(c, symbol, length)) {
            ok = judge(c, symbol, length, &accepted);
        }
        if (accepted) {
            c->symbols[c->num_accepted - 1] = symbol;
        } else {
            free(symbol);
        }
        if (!ok) {
            return false;
        }
    }
    return true;
}

/* The share of its calls that the sequences take in. @return < 0: no memory */
static double covered_of(const noise_sequences *sequences, const noise_symbols *symbols)
{
    noise_sample samples[NOISE_SEQUENCES_MOST];
    noise_matcher *m = noise_matcher_new(sequences);
    if (m == NULL) {
        return -1;
    }
    for (uint64_t i = 0; i < symbols->num; i++) {
        (void)noise_matcher_take(m, &(noise_sequence_call){.symbol = symbols->symbol[i]}, samples);
    }
    const double share =
        symbols->num > 0 ? (double)noise_matcher_covered(m) / (double)symbols->num : 0;
    noise_matcher_free(m);
    return share;
}

/* @return false: no memory */
static bool measure(choice *c, const noise_sequences *sequences)
{
    c->found.covered = 1;
    for (uint32_t r = 0; r < c->num_ranks; r++) {
        const double share = covered_of(sequences, &c->ranks[r]);
        c->found.covered = share < c->found.covered ? share : c->found.covered;
    }
    return c->found.covered >= 0;
}

noise_sequences *noise_sequences_learn(const noise_symbols *ranks, uint32_t num_ranks,
                                       const noise_sequences_options *options,
                                       noise_sequences_found *found)
{
    choice c = {.ranks = ranks, .num_ranks = num_ranks, .options = with_defaults(options)};
    if (c.options.abstracted >= num_ranks) {
        return NULL;
    }
    noise_sequences *sequences = NULL;
    c.rules = rules_of(&c);
    if (c.rules != NULL && map_finer(&c) && list_candidates(&c) && choose(&c)) {
        sequences = noise_sequences_new(c.accepted, c.num_accepted);
    }
    if (sequences != NULL && !measure(&c, sequences)) {
        noise_sequences_free(sequences);
        sequences = NULL;
    }
    for (uint32_t i = 0; i < c.num_accepted; i++) {
        free(c.symbols[i]);
    }
    free(c.candidates);
    free(c.matched);
    noise_alphabet_clear(&c.finer);
    noise_rules_free(c.rules);
    if (found != NULL && sequences != NULL) {
        *found = c.found;
    }
    return sequences;
}
