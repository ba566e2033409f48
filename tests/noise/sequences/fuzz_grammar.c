/* tests/noise/sequences/fuzz_grammar.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Any bytes as the calls of two ranks, and a bound on the memory of a grammar: it makes what it has
 * taken, keeps its invariants, and what is learned from it occurs as often as a search by hand
 * says.
 */
#include "fuzz.h"
#include "naive_matcher.h"
#include "noise/grammar.h"

#include <stdlib.h>

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_grammar(const noise_symbols *symbols, uint64_t most)
{
    noise_grammar *g = noise_grammar_new(most);
    uint64_t n = 0; /* a half of them one by one, then the others at once */
    while (n < symbols->num / 2 && noise_grammar_append(g, symbols->symbol[n])) {
        n++;
    }
    n += noise_grammar_append_all(g, symbols->symbol + n, symbols->num - n);
    require(most > 0 || (n == symbols->num && noise_grammar_check(g) == NULL));
    noise_rules *rules = noise_rules_new(g);
    uint64_t *out = g_new(uint64_t, n + 1);
    require(rules->rule[0].length == n && noise_rules_expand(rules, 0, out));
    require(memcmp(out, symbols->symbol, n * sizeof *out) == 0);
    g_free(out);
    noise_rules_free(rules);
    noise_grammar_free(g);
}

static void check_sequences(const noise_symbols *ranks, uint32_t num_ranks)
{
    noise_sequences *set =
        noise_sequences_learn(ranks, num_ranks, &(noise_sequences_options){.most = 6}, NULL);
    for (uint32_t r = 0; r < num_ranks; r++) {
        noise_sequence_call *call = g_new0(noise_sequence_call, ranks[r].num + 1);
        char *covered = g_new0(char, ranks[r].num + 1);
        for (uint64_t i = 0; i < ranks[r].num; i++) {
            call[i].symbol = ranks[r].symbol[i];
        }
        for (uint32_t l = 0; l < noise_sequences_num(set); l++) {
            const noise_sequence *s = noise_sequences_at(set, l);
            GArray *samples = naive_samples(s, l, call, ranks[r].num, covered);
            uint64_t count = 0;
            require(noise_sequence_count(s, &ranks[r], &count));
            require(count == samples->len && count >= 2 && s->length >= 2);
            g_array_free(samples, TRUE);
        }
        g_free(call);
        g_free(covered);
    }
    noise_sequences_free(set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > 4096) {
        return 0;
    }
    const size_t n = size - 2;
    uint64_t *symbol = g_new(uint64_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        symbol[i] = data[2 + i];
    }
    const uint64_t first = n * data[0] / 255; /* the calls of the first rank */
    const noise_symbols all = {symbol, n};
    const noise_symbols ranks[] = {{symbol, first}, {symbol + first, n - first}};
    check_grammar(&all, 0);
    check_grammar(&all, 4000 + 16 * (uint64_t)data[1]);
    check_sequences(ranks, data[0] == 255 ? 1 : 2);
    g_free(symbol);
    return 0;
}
