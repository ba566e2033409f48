/* tests/apps/detection/test_record_grammars.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The grammar of every rank of every record in the repository and beside it, and the sequences of
 * the programs. */
#include "check.h"
#include "data.h"
#include "detection/recorded_calls.h"
#include "noise/grammar.h"
#include "read_record.h"

static const noise_match MATCHES[] = {NOISE_MATCH_FUNCTION, NOISE_MATCH_DISTANCE, NOISE_MATCH_XOR};

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

/* @param least how much shorter the grammar is on every rank, by functions */
static void check_record(const char *path, double least)
{
    g_autoptr(sched_trace) trace = read_record(path);
    for (size_t m = 0; trace != NULL && m < G_N_ELEMENTS(MATCHES); m++) {
        g_autoptr(app_run_calls) calls = app_recorded_calls(trace, MATCHES[m]);
        for (uint32_t r = 0; r < calls->num_ranks; r++) {
            CHECK(calls->rank[r].n > 0, "%s, rank %u", path, r);
            const double shorter = check_grammar(path, &calls->rank[r]);
            CHECK(m > 0 || shorter > least, "%s, rank %u: %g", path, r, shorter);
        }
    }
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
        {RIPPLE_TEST_DATA "/../cli/data/dumpi/testtrace.meta", 0},
        {RIPPLE_TEST_DATA "/../cli/data/simgrid/list", 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        check_record(rows[i].path, rows[i].shorter);
    }
}

/* Records whose licences keep them out of the repository: proxies of applications, examples of the
 * formats' own projects. */
static void grammars_of_records_of_others_keep_the_invariants(void)
{
    static const char *const FOLDERS[] = {"traces/apps", "traces/otf2", "traces/liballprof"};
    unsigned records = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(FOLDERS); i++) {
        g_autofree char *folder = shared_data(FOLDERS[i]);
        GDir *names = folder != NULL ? g_dir_open(folder, 0, NULL) : NULL;
        for (const char *name; names != NULL && (name = g_dir_read_name(names)) != NULL;) {
            g_autofree char *path = g_build_filename(folder, name, NULL);
            if (sched_reader_find(path) != NULL) {
                check_record(path, 0);
                records++;
            }
        }
        if (names != NULL) {
            g_dir_close(names);
        }
    }
    fprintf(stderr, "[%u records] ", records);
}

/* What is typical of a solver covers most of its calls, on all ranks. */
static void recorded_solvers_have_typical_sequences(void)
{
    static const char *const PATHS[] = {RIPPLE_TRACES "/ocean-chrongear-16/traces.otf2",
                                        RIPPLE_TRACES "/halo-cg-16/traces.otf2"};
    for (size_t i = 0; i < G_N_ELEMENTS(PATHS); i++) {
        g_autoptr(sched_trace) trace = read_record(PATHS[i]);
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
           TEST(grammars_of_records_of_others_keep_the_invariants),
           TEST(recorded_solvers_have_typical_sequences))
