/* noise/sequences/grammar_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A grammar as it is built. Every right-hand side is a ring of nodes with a guard, which stands for
 * the rule itself. Nodes are numbered; 0 is none, 1 the guard of the start.
 */
#pragma once

#include "noise/grammar.h"
#include "sequences/alphabet.h"
#include "sequences/digrams.h"

enum { GRAMMAR_START = 1 };

struct noise_grammar {
    grammar_node *node; /* [cap] */
    uint32_t cap;
    uint32_t used;  /* node[1..used) has been taken once */
    uint32_t spare; /* a list of nodes given back, by next; 0: none */
    uint32_t live;  /* taken and not given back */
    digram_index index;
    alphabet alphabet;
    uint32_t *pending; /* [cap_pending] a stack: left nodes of pairs that are to be checked */
    uint32_t num_pending, cap_pending;
    uint32_t ahead; /* the number of the symbol to be taken next; UINT32_MAX: not known */
    uint64_t length;
    uint64_t most; /* bytes; UINT64_MAX: no bound */
    bool closed;   /* takes no further symbol */
};

static inline bool grammar_is_guard(const noise_grammar *g, uint32_t node)
{
    return (g->node[node].value & GRAMMAR_KIND) == GRAMMAR_GUARD;
}

static inline bool grammar_is_rule(const noise_grammar *g, uint32_t node)
{
    return (g->node[node].value & GRAMMAR_KIND) == GRAMMAR_RULE;
}

/** The guard of the rule that a node stands for; of a guard: its uses; else the symbol's number. */
static inline uint32_t grammar_number(const noise_grammar *g, uint32_t node)
{
    return g->node[node].value & GRAMMAR_NUMBER;
}
