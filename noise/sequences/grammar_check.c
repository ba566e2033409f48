/* noise/sequences/grammar_check.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_grammar. */
#include "sequences/grammar_private.h"

#include <stdlib.h>

/* A pair of neighbours, without what the index thinks of it. */
typedef struct pair {
    uint32_t first, second; /* values */
    uint32_t left;          /* node */
} pair;

static int by_values(const void *a, const void *b)
{
    const pair *x = a;
    const pair *y = b;
    if (x->first != y->first) {
        return x->first < y->first ? -1 : 1;
    }
    return x->second != y->second ? x->second < y->second ? -1 : 1 : 0;
}

/* Two equal pairs may stand in the grammar only if they share a node: then there are two of them.
 */
static const char *check_pairs(const noise_grammar *g, pair *pairs, uint64_t num)
{
    qsort(pairs, num, sizeof *pairs, by_values);
    for (uint64_t i = 0; i < num;) {
        uint64_t end = i + 1;
        while (end < num && by_values(&pairs[i], &pairs[end]) == 0) {
            end++;
        }
        const uint32_t a = pairs[i].left;
        if (end - i > 2) {
            return "a pair of neighbours stands three times";
        }
        if (end - i == 2 && g->node[a].next != pairs[i + 1].left &&
            g->node[a].prev != pairs[i + 1].left) {
            return "a pair of neighbours stands twice";
        }
        const uint32_t known = noise_digrams_slot(&g->index, g->node, a)->node;
        if (known != a && (end - i == 1 || known != pairs[i + 1].left)) {
            return "a pair of neighbours is not in the index";
        }
        i = end;
    }
    uint64_t slots = 0;
    for (uint64_t i = 0; i < UINT64_C(1) << g->index.bits; i++) {
        slots += g->index.slot[i].node != 0;
    }
    return slots > num ? "the index has pairs that are gone" : NULL;
}

typedef struct walk {
    uint32_t *todo; /* guards, in the order in which they are met */
    uint32_t *uses; /* [by guard] seen */
    pair *pairs;    /* [live] */
    uint64_t num_pairs, num_todo, nodes;
} walk;

static const char *check_side(const noise_grammar *g, walk *w, uint32_t guard)
{
    uint32_t items = 0;
    uint32_t before = guard;
    w->nodes++;
    for (uint32_t n = g->node[guard].next; n != guard; n = g->node[n].next) {
        if (++w->nodes > g->live || g->node[n].prev != before || grammar_is_guard(g, n) ||
            (g->node[n].value & GRAMMAR_KIND) == GRAMMAR_SPARE) {
            return "a right-hand side is no ring";
        }
        if (grammar_is_rule(g, n) && w->uses[grammar_number(g, n)]++ == 0) {
            w->todo[w->num_todo++] = grammar_number(g, n);
        }
        if (before != guard) {
            w->pairs[w->num_pairs++] = (pair){g->node[before].value, g->node[n].value, before};
        }
        before = n;
        items++;
    }
    if (guard != GRAMMAR_START && items < 2) {
        return "a rule has one item";
    }
    return g->node[guard].prev != before ? "a right-hand side is no ring" : NULL;
}

static const char *check_rules(const noise_grammar *g, walk *w)
{
    const char *wrong = NULL;
    w->todo[w->num_todo++] = GRAMMAR_START;
    for (uint64_t i = 0; i < w->num_todo && wrong == NULL; i++) {
        wrong = check_side(g, w, w->todo[i]);
    }
    for (uint64_t i = 1; i < w->num_todo && wrong == NULL; i++) {
        const uint32_t guard = w->todo[i];
        wrong = w->uses[guard] < 2                           ? "a rule is used once"
                : w->uses[guard] != grammar_number(g, guard) ? "uses are counted wrong"
                                                             : NULL;
    }
    if (wrong == NULL && w->nodes != g->live) {
        wrong = "nodes are lost";
    }
    return wrong != NULL ? wrong : check_pairs(g, w->pairs, w->num_pairs);
}

/* Does the grammar make as many symbols as it has taken? */
static const char *check_length(const noise_grammar *g)
{
    noise_rules *rules = noise_rules_new(g);
    const char *wrong = rules == NULL                        ? "no memory"
                        : rules->rule[0].length != g->length ? "it makes another length"
                                                             : NULL;
    noise_rules_free(rules);
    return wrong;
}

const char *noise_grammar_check(const noise_grammar *g)
{
    walk w = {
        .todo = calloc(g->used, sizeof *w.todo),
        .uses = calloc(g->used, sizeof *w.uses),
        .pairs = calloc(g->used, sizeof *w.pairs),
    };
    const char *wrong = "no memory";
    if (w.todo != NULL && w.uses != NULL && w.pairs != NULL) {
        wrong = check_rules(g, &w);
    }
    free(w.todo);
    free(w.uses);
    free(w.pairs);
    return wrong != NULL ? wrong : check_length(g);
}
