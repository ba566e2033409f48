/* bench/sc07/samples.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_lab. */
#include "samples.h"

#include <stdlib.h>

/* Calls of rank 0, each by a symbol. @return owned by the caller */
static uint64_t *symbols_of(const sc07_program *p,
                            uint64_t (*symbol)(const sc07_program *, uint32_t))
{
    const uint32_t n = sc07_program_num_calls(p);
    uint64_t *out = g_new(uint64_t, n);
    for (uint32_t i = 0; i < n; i++) {
        out[i] = symbol(p, i);
    }
    return out;
}

static noise_rules *rules_of(const sc07_program *p)
{
    noise_grammar *grammar = noise_grammar_new(0);
    for (uint32_t i = 0; i < sc07_program_num_calls(p); i++) {
        noise_grammar_append(grammar, sc07_program_symbol(p, i));
    }
    noise_rules *rules = noise_rules_new(grammar);
    noise_grammar_free(grammar);
    g_assert_nonnull(rules);
    return rules;
}

/* A rule, to be sorted: the longest first, else as they come. */
typedef struct candidate {
    uint64_t length;
    uint32_t rule;
} candidate;

static int by_length(const void *pa, const void *pb)
{
    const candidate *a = pa;
    const candidate *b = pb;
    return a->length != b->length ? (a->length < b->length ? 1 : -1)
                                  : (a->rule > b->rule) - (a->rule < b->rule);
}

static candidate *candidates_of(const noise_rules *rules)
{
    candidate *all = g_new(candidate, rules->num_rules);
    for (uint32_t i = 1; i < rules->num_rules; i++) {
        all[i - 1] = (candidate){rules->rule[i].length, i};
    }
    qsort(all, rules->num_rules - 1, sizeof *all, by_length);
    return all;
}

/* The functions that a rule stands for. @return owned by the caller */
static uint64_t *functions_of(const noise_rules *rules, uint32_t rule)
{
    const uint64_t n = rules->rule[rule].length;
    uint64_t *symbol = g_new(uint64_t, n);
    const bool ok = noise_rules_expand(rules, rule, symbol);
    g_assert(ok);
    for (uint64_t i = 0; i < n; i++) {
        symbol[i] = sc07_symbol_function(symbol[i]);
    }
    return symbol;
}

static bool is_among(const noise_sequence *sequences, uint32_t n, const noise_sequence *one)
{
    bool found = false;
    for (uint32_t i = 0; i < n && !found; i++) {
        found = sequences[i].length == one->length &&
                memcmp(sequences[i].symbol, one->symbol, one->length * sizeof *one->symbol) == 0;
    }
    return found;
}

/* All ranks make the same calls: what one has often enough, all have. */
static bool is_typical(const noise_sequence *sequence, const noise_symbols *calls)
{
    uint64_t count = 0;
    const bool ok = noise_sequence_count(sequence, calls, &count);
    g_assert(ok);
    return count >= 2;
}

static double share_covered(const sc07_set *set, const noise_symbols *calls)
{
    noise_matcher *m = noise_matcher_new(set->sequences);
    noise_sample out[NOISE_SEQUENCES_MOST];
    for (uint64_t i = 0; i < calls->num; i++) {
        const noise_sequence_call call = {.symbol = calls->symbol[i]};
        noise_matcher_take(m, &call, out);
    }
    const double covered = (double)noise_matcher_covered(m) / (double)calls->num;
    noise_matcher_free(m);
    return covered;
}

sc07_set *sc07_set_new(const sc07_program *program, uint32_t most, uint32_t longer)
{
    sc07_set *set = g_new0(sc07_set, 1);
    set->program = program;
    g_autofree uint64_t *functions = symbols_of(program, sc07_program_function);
    const noise_symbols calls = {functions, sc07_program_num_calls(program)};
    noise_rules *rules = rules_of(program);
    g_autofree candidate *candidates = candidates_of(rules);
    noise_sequence chosen[NOISE_SEQUENCES_MOST];
    set->num_rules = rules->num_rules - 1;
    g_autoptr(GPtrArray) owned = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t i = 0; i < set->num_rules && set->num < most; i++) {
        if (candidates[i].length <= longer) {
            break;
        }
        uint64_t *symbol = functions_of(rules, candidates[i].rule);
        g_ptr_array_add(owned, symbol);
        const noise_sequence one = {symbol, (uint32_t)candidates[i].length, false};
        if (!is_among(chosen, set->num, &one) && is_typical(&one, &calls)) {
            set->length[set->num] = one.length;
            chosen[set->num++] = one;
        }
    }
    set->sequences = noise_sequences_new(chosen, set->num);
    g_assert_nonnull(set->sequences);
    set->covered = share_covered(set, &calls);
    noise_rules_free(rules);
    return set;
}

void sc07_set_free(sc07_set *set)
{
    if (set != NULL) {
        noise_sequences_free(set->sequences);
        g_free(set);
    }
}

/* While a run goes on. */
typedef struct hearing {
    noise_matcher *matcher[SC07_RANKS];
    GArray *heard[SC07_RANKS][NOISE_SEQUENCES_MOST]; /* of noise_sample */
} hearing;

static void take(void *data, uint32_t rank, const noise_sequence_call *call)
{
    const hearing *h = data;
    noise_sample out[NOISE_SEQUENCES_MOST];
    const uint32_t n = noise_matcher_take(h->matcher[rank], call, out);
    for (uint32_t i = 0; i < n; i++) {
        g_array_append_val(h->heard[rank][out[i].sequence], out[i]);
    }
}

static void gather(const hearing *h, uint32_t sequence, sc07_series *out)
{
    out->n = h->heard[0][sequence]->len;
    out->sample = g_new(noise_sample, (gsize)SC07_RANKS * out->n);
    for (uint32_t r = 0; r < SC07_RANKS; r++) {
        const GArray *from = h->heard[r][sequence];
        g_assert(from->len == out->n);
        memcpy(out->sample + (size_t)r * out->n, from->data, out->n * sizeof(noise_sample));
    }
}

sc07_samples *sc07_samples_new(const sc07_set *set, const sc07_scene *scene)
{
    g_autofree hearing *h = g_new0(hearing, 1);
    for (uint32_t r = 0; r < SC07_RANKS; r++) {
        h->matcher[r] = noise_matcher_new(set->sequences);
        g_assert_nonnull(h->matcher[r]);
        for (uint32_t l = 0; l < set->num; l++) {
            h->heard[r][l] = g_array_new(FALSE, FALSE, sizeof(noise_sample));
        }
    }
    sc07_samples *out = g_new(sc07_samples, 1);
    *out = (sc07_samples){.num = set->num, .series = g_new(sc07_series, set->num)};
    out->makespan = sc07_run(set->program, scene, take, h);
    for (uint32_t l = 0; l < set->num; l++) {
        gather(h, l, &out->series[l]);
    }
    for (uint32_t r = 0; r < SC07_RANKS; r++) {
        noise_matcher_free(h->matcher[r]);
        for (uint32_t l = 0; l < set->num; l++) {
            g_array_unref(h->heard[r][l]);
        }
    }
    return out;
}

void sc07_samples_free(sc07_samples *s)
{
    if (s != NULL) {
        for (uint32_t l = 0; l < s->num; l++) {
            g_free(s->series[l].sample);
        }
        g_free(s->series);
        g_free(s);
    }
}
