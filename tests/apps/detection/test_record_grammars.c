/* tests/apps/detection/test_record_grammars.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The grammar of every rank of every record in the repository, and the sequences of the programs.
 */
#include "check.h"
#include "data.h"
#include "detection/recorded_calls.h"
#include "noise/grammar.h"
#include "sched/liballprof.h"
#include "sched/otf2.h"

static const noise_match MATCHES[] = {NOISE_MATCH_FUNCTION, NOISE_MATCH_DISTANCE, NOISE_MATCH_XOR};

static sched_trace *trace_of(const char *path)
{
    g_autoptr(GError) error = NULL;
    sched_trace *t = g_str_has_suffix(path, ".otf2") ? sched_otf2_read(path, &error)
                                                     : sched_liballprof_read(path, &error);
    CHECK(t != NULL, "%s: %s", path, error != NULL ? error->message : "");
    return t;
}

static uint64_t *symbols_of(const app_rank_calls *calls)
{
    uint64_t *symbol = g_new(uint64_t, calls->n + 1);
    for (size_t i = 0; i < calls->n; i++) {
        symbol[i] = calls->call[i].symbol;
    }
    return symbol;
}

/* @return symbols by node of the grammar: how much it is shorter */
static double check_grammar(const char *what, const app_rank_calls *calls)
{
    g_autofree uint64_t *symbol = symbols_of(calls);
    g_autofree uint64_t *out = g_new(uint64_t, calls->n + 1);
    noise_grammar *g = noise_grammar_new(0);
    const char *wrong = NULL;
    for (size_t i = 0; i < calls->n && wrong == NULL; i++) {
        g_assert_true(noise_grammar_append(g, symbol[i]));
        wrong = (i & (i - 1)) == 0 || i + 1 == calls->n ? noise_grammar_check(g) : NULL;
    }
    CHECK(wrong == NULL, "%s: %s", what, wrong);
    noise_rules *rules = noise_rules_new(g);
    if (CHECK_I64(rules->rule[0].length, calls->n, "%s", what)) {
        CHECK(noise_rules_expand(rules, 0, out) && memcmp(out, symbol, calls->n * sizeof *out) == 0,
              "%s", what);
    }
    const double shorter = (double)calls->n / (double)noise_grammar_nodes(g);
    noise_rules_free(rules);
    noise_grammar_free(g);
    return shorter;
}

static void grammars_of_records_keep_the_invariants(void)
{
    static const struct {
        const char *path;
        double shorter; /* at least, on every rank, by functions */
    } rows[] = {
        {RIPPLE_TRACES "/halo-cg-16/traces.otf2", 2},
        {RIPPLE_TRACES "/ocean-chrongear-16/traces.otf2", 2},
        {RIPPLE_TRACES "/ocean-pcg-16/traces.otf2", 2},
        {RIPPLE_TEST_DATA "/otf2/everything-4/traces.otf2", 0},
        {RIPPLE_TEST_DATA "/../cli/data/ft8/pmpi-trace-rank-0.txt", 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(sched_trace) trace = trace_of(rows[i].path);
        for (size_t m = 0; trace != NULL && m < G_N_ELEMENTS(MATCHES); m++) {
            g_autoptr(app_run_calls) calls = app_recorded_calls(trace, MATCHES[m]);
            for (uint32_t r = 0; r < calls->num_ranks; r++) {
                CHECK(calls->rank[r].n > 0, "%s, rank %u", rows[i].path, r);
                const double shorter = check_grammar(rows[i].path, &calls->rank[r]);
                CHECK(m > 0 || shorter > rows[i].shorter, "%s, rank %u: %g", rows[i].path, r,
                      shorter);
            }
        }
    }
}

/* What is typical of a solver covers most of its calls, on all ranks. */
static void recorded_solvers_have_typical_sequences(void)
{
    static const char *const PATHS[] = {RIPPLE_TRACES "/ocean-chrongear-16/traces.otf2",
                                        RIPPLE_TRACES "/halo-cg-16/traces.otf2"};
    for (size_t i = 0; i < G_N_ELEMENTS(PATHS); i++) {
        g_autoptr(sched_trace) trace = trace_of(PATHS[i]);
        if (trace == NULL) {
            continue;
        }
        g_autoptr(app_run_calls) calls = app_recorded_calls(trace, NOISE_MATCH_FUNCTION);
        g_autofree noise_symbols *ranks = g_new(noise_symbols, calls->num_ranks);
        g_autoptr(GPtrArray) owned = g_ptr_array_new_with_free_func(g_free);
        for (uint32_t r = 0; r < calls->num_ranks; r++) {
            uint64_t *symbol = symbols_of(&calls->rank[r]);
            g_ptr_array_add(owned, symbol);
            ranks[r] = (noise_symbols){symbol, calls->rank[r].n};
        }
        noise_sequences_found found;
        noise_sequences *set =
            noise_sequences_learn(ranks, calls->num_ranks, &(noise_sequences_options){0}, &found);
        CHECK(noise_sequences_num(set) >= 4, "%s: %u", PATHS[i], noise_sequences_num(set));
        CHECK(found.covered > 0.8, "%s: %g", PATHS[i], found.covered);
        noise_sequences_free(set);
    }
}

SUITE_MAIN("record_grammars", TEST(grammars_of_records_keep_the_invariants),
           TEST(recorded_solvers_have_typical_sequences))
