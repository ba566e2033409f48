/* noise/sequences/rules.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_grammar. */
#include "sequences/grammar_private.h"

#include <stdlib.h>

typedef struct draft {
    const noise_grammar *grammar;
    noise_rules *rules;
    uint32_t *guard;  /* [num_rules] */
    uint32_t *number; /* [cap] of the rule with this guard */
} draft;

/* How many rules and items there are; the guards in the order in which they are met. */
static void survey(draft *d)
{
    const noise_grammar *g = d->grammar;
    noise_rules *rules = d->rules;
    d->guard[rules->num_rules++] = GRAMMAR_START;
    for (uint32_t r = 0; r < rules->num_rules; r++) {
        for (uint32_t n = g->node[d->guard[r]].next; !grammar_is_guard(g, n); n = g->node[n].next) {
            const uint32_t guard = grammar_number(g, n);
            rules->num_items++;
            if (grammar_is_rule(g, n) && d->number[guard] == 0) {
                d->number[guard] = rules->num_rules;
                d->guard[rules->num_rules++] = guard;
            }
        }
    }
}

static void write_down(draft *d)
{
    const noise_grammar *g = d->grammar;
    noise_rules *rules = d->rules;
    uint64_t at = 0;
    for (uint32_t r = 0; r < rules->num_rules; r++) {
        noise_rule *rule = &rules->rule[r];
        rule->first = at;
        rule->uses = grammar_number(g, d->guard[r]);
        for (uint32_t n = g->node[d->guard[r]].next; !grammar_is_guard(g, n); n = g->node[n].next) {
            const uint32_t number = grammar_number(g, n);
            rules->item[at++] = grammar_is_rule(g, n)
                                    ? (noise_rule_item){.rule = d->number[number]}
                                    : (noise_rule_item){.symbol = g->alphabet.symbol[number]};
        }
        rule->num = (uint32_t)(at - rule->first);
    }
}

/*
 * Counts go down from the start, lengths come up to it: in an order in which every rule stands
 * behind all that use it. @param left [num_rules] uses not met yet
 */
static void measure(noise_rules *rules, uint32_t *order, uint32_t *left)
{
    uint32_t num = 0;
    for (uint32_t r = 0; r < rules->num_rules; r++) {
        left[r] = rules->rule[r].uses;
    }
    order[num++] = 0;
    rules->rule[0].count = 1;
    for (uint32_t i = 0; i < num; i++) {
        const noise_rule *rule = &rules->rule[order[i]];
        for (uint32_t k = 0; k < rule->num; k++) {
            const uint32_t used = rules->item[rule->first + k].rule;
            if (used > 0) {
                rules->rule[used].count += rule->count;
                if (--left[used] == 0) {
                    order[num++] = used;
                }
            }
        }
    }
    while (num > 0) {
        noise_rule *rule = &rules->rule[order[--num]];
        for (uint32_t k = 0; k < rule->num; k++) {
            const uint32_t used = rules->item[rule->first + k].rule;
            rule->length += used > 0 ? rules->rule[used].length : 1;
        }
    }
}

noise_rules *noise_rules_new(const noise_grammar *g)
{
    noise_rules *rules = calloc(1, sizeof *rules);
    draft d = {g, rules, calloc(g->used, sizeof *d.guard), calloc(g->used, sizeof *d.number)};
    bool made = rules != NULL && d.guard != NULL && d.number != NULL;
    if (made) {
        survey(&d);
        rules->rule = calloc(rules->num_rules, sizeof *rules->rule);
        rules->item = calloc(rules->num_items + 1, sizeof *rules->item);
        made = rules->rule != NULL && rules->item != NULL;
    }
    if (made) {
        write_down(&d);
        measure(rules, d.guard, d.number); /* what they held is not needed any more */
    }
    free(d.guard);
    free(d.number);
    if (!made) {
        noise_rules_free(rules);
        rules = NULL;
    }
    return rules;
}

void noise_rules_free(noise_rules *rules)
{
    if (rules != NULL) {
        free(rules->rule);
        free(rules->item);
        free(rules);
    }
}

/* Where in which right-hand side one is. */
typedef struct place {
    uint64_t next, end;
} place;

bool noise_rules_expand(const noise_rules *rules, uint32_t index, uint64_t *out)
{
    /* No rule is within itself, so at most all of them are open at once. */
    place *stack = malloc(rules->num_rules * sizeof *stack);
    if (stack == NULL) {
        return false;
    }
    uint32_t depth = 0;
    uint32_t open = index;
    for (;;) {
        const noise_rule *rule = &rules->rule[open];
        stack[depth++] = (place){rule->first, rule->first + rule->num};
        open = 0;
        while (depth > 0 && open == 0) {
            place *p = &stack[depth - 1];
            if (p->next == p->end) {
                depth--;
            } else if ((open = rules->item[p->next].rule) == 0) {
                *out++ = rules->item[p->next++].symbol;
            } else {
                p->next++;
            }
        }
        if (open == 0) {
            break;
        }
    }
    free(stack);
    return true;
}
