/* bench/sc07/sequences.c — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file E1: grammars and the lengths of typical sequences. Tables 1, 2, 5 and 7, Figure 3. */
#include "experiments.h"
#include "noise/grammar.h"
#include "worked.h"

#include <string.h>

/* "S:aAdA A:bc": rules by letters, in the order in which they are met. Owned by the caller. */
static char *grammar_text(const char *input)
{
    noise_grammar *grammar = noise_grammar_new(0);
    for (const char *c = input; *c != '\0'; c++) {
        noise_grammar_append(grammar, (uint64_t)*c);
    }
    noise_rules *rules = noise_rules_new(grammar);
    g_autoptr(GString) text = g_string_new(NULL);
    for (uint32_t i = 0; i < rules->num_rules; i++) {
        g_string_append_printf(text, "%s%c:", i > 0 ? " " : "", i > 0 ? (char)('A' + i - 1) : 'S');
        for (uint32_t k = 0; k < rules->rule[i].num; k++) {
            const noise_rule_item *item = &rules->item[rules->rule[i].first + k];
            g_string_append_c(text,
                              item->rule > 0 ? (char)('A' + item->rule - 1) : (char)item->symbol);
        }
    }
    noise_rules_free(rules);
    noise_grammar_free(grammar);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static void check_grammars(const sc07_report *report)
{
    static const char *const TABLE1[][2] = {{"abcdbc", "S:aAdA A:bc"},
                                            {"abcdbcabcdbc", "S:AA A:aBdB B:bc"},
                                            {"aaaa", "S:AA A:aa"},
                                            {"aaaaaaaa", "S:AA A:BB B:aa"},
                                            {"abcabdabcabd", "S:AA A:BcBd B:ab"},
                                            {"aaa", "S:aaa"},
                                            {"abcabcabcabcabc", "S:AAB A:BB B:abc"},
                                            {"aabaaab", "S:AbAab A:aa"},
                                            {"bbebeebebebbebee", "S:ABA A:bBe B:CC C:be"}};
    for (size_t i = 0; i < G_N_ELEMENTS(TABLE1); i++) {
        g_autofree char *ours = grammar_text(TABLE1[i][0]);
        g_autofree char *what =
            g_strdup_printf(i < 2 ? "Table 1: grammar of %s" : "grammar of %s", TABLE1[i][0]);
        sc10_check_that(report->rules, "E1", what, TABLE1[i][1], strcmp(ours, TABLE1[i][1]) == 0,
                        "%s", ours);
    }
}

/* "16 8 4 2" Owned by the caller. */
static char *lengths_of(const sc07_set *set, uint32_t first, uint32_t num)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (uint32_t l = first; l < MIN(first + num, set->num); l++) {
        g_string_append_printf(text, "%s%u", l > first ? " " : "", set->length[l]);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static void check_lengths(const sc07_report *report, const char *what, const char *paper,
                          const sc07_set *set, uint32_t first, uint32_t num)
{
    g_autofree char *ours = lengths_of(set, first, num);
    sc10_check_that(report->rules, "E1", what, paper, strcmp(ours, paper) == 0, "%s", ours);
}

/* Share of the first cycle whose symbols are those @p lag calls later. */
static double alike(const sc07_program *p, uint32_t lag)
{
    enum { CYCLE = 789 };
    unsigned n = 0;
    for (uint32_t i = 0; i < CYCLE; i++) {
        n += sc07_program_symbol(p, i) == sc07_program_symbol(p, i + lag);
    }
    return (double)n / CYCLE;
}

/* The lag at which a program is most like itself, of first..last. */
static uint32_t period(const sc07_program *p, uint32_t first, uint32_t last)
{
    uint32_t best = first;
    for (uint32_t lag = first; lag <= last; lag++) {
        best = alike(p, lag) > alike(p, best) ? lag : best;
    }
    return best;
}

static void check_cg(const sc07_report *report)
{
    g_autoptr(sc07_program) cg = sc07_program_new(SC07_CG, 0);
    g_autoptr(sc07_set) set = sc07_paper_set(cg, SC07_CG);
    check_lengths(report, "Table 5: CG, the first six lengths (25428: a slip for 25248)",
                  "25248 12624 6312 3156 1578 789", set, 0, 6);
    g_autofree char *rest = lengths_of(set, 6, 2);
    sc10_note(report->numbers, "E1", "Table 5: CG, the seventh and eighth length", "720 480", "%s",
              rest);
    sc10_note(report->numbers, "E1", "CG: calls of a rank", "around 60000", "%u",
              sc07_program_num_calls(cg));
    sc10_note(report->numbers, "E1", "CG: rules", "23", "%u", set->num_rules);
    sc10_check_between(report->rules, "E1", "Figure 3: CG, period up to 60 calls", "30",
                       period(cg, 1, 59), 30, 30, "");
    sc10_check_between(report->rules, "E1", "Figure 3: CG, period up to 1000 calls", "789",
                       period(cg, 1, 1000), 789, 789, "");
}

void sc07_sequences(const sc07_lab *lab, const sc07_report *report)
{
    (void)lab;
    check_grammars(report);
    g_autoptr(sc07_program) ft = sc07_program_new(SC07_FT, 0);
    g_autoptr(sc07_set) short_set = sc07_paper_set(ft, SC07_FT);
    check_lengths(report, "Table 2: FT, lengths", "16 8 4 2", short_set, 0, 4);
    check_cg(report);
    g_autoptr(sc07_program) pop = sc07_program_new(SC07_POP, 0);
    g_autoptr(sc07_set) set = sc07_paper_set(pop, SC07_POP);
    sc07_check_worked(report);
    check_lengths(report, "Table 7: POP, lengths (ours is made of units of 25, 28 and 32 calls)",
                  "252 224 192 128 125 112 96 64 64 56", set, 0, 10);
}
