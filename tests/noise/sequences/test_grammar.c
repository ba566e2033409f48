/* tests/noise/sequences/test_grammar.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The invariants are checked twice: by noise_grammar_check(), which looks at nodes and index, and
 * here by comparing every pair of neighbours of the rules as they are written down with every
 * other.
 */
#include "check.h"
#include "noise/grammar.h"
#include "noise/random.h"
#include "program_strings.h"

enum { SEED = 14 };

static noise_grammar *grammar_of(const uint64_t *symbol, size_t n)
{
    noise_grammar *g = noise_grammar_new(0);
    for (size_t i = 0; i < n; i++) {
        g_assert_true(noise_grammar_append(g, symbol[i]));
    }
    return g;
}

/* "S:aAdA A:bc"; symbols are letters. */
static char *text_of(const noise_rules *rules)
{
    GString *out = g_string_new("S:");
    for (uint32_t r = 0; r < rules->num_rules; r++) {
        if (r > 0) {
            g_string_append_printf(out, " %c:", (char)('A' + (int)r - 1));
        }
        for (uint32_t k = 0; k < rules->rule[r].num; k++) {
            const noise_rule_item item = rules->item[rules->rule[r].first + k];
            g_string_append_c(out,
                              item.rule > 0 ? (char)('A' + (int)item.rule - 1) : (char)item.symbol);
        }
    }
    return g_string_free(out, FALSE);
}

static void strings_have_the_grammars_of_the_paper_and_the_prototype(void)
{
    /* The first two: SC'07, table 1. The others: an independent program in another language. */
    static const struct {
        const char *string, *grammar;
    } rows[] = {
        {"", "S:"},
        {"a", "S:a"},
        {"abcdbc", "S:aAdA A:bc"},
        {"abcdbcabcdbc", "S:AA A:aBdB B:bc"},
        {"aaa", "S:aaa"},
        {"aaaa", "S:AA A:aa"},
        {"aaaaaaaa", "S:AA A:BB B:aa"},
        {"abcabdabcabd", "S:AA A:BcBd B:ab"},
        {"abcabcabcabcabc", "S:AAB A:BB B:abc"},
        {"aabaaab", "S:AbAab A:aa"},
        {"bbebeebebebbebee", "S:ABA A:bBe B:CC C:be"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        uint64_t symbol[32];
        const size_t n = strlen(rows[i].string);
        for (size_t k = 0; k < n; k++) {
            symbol[k] = (uint64_t)rows[i].string[k];
        }
        noise_grammar *g = grammar_of(symbol, n);
        noise_rules *rules = noise_rules_new(g);
        g_autofree char *text = text_of(rules);
        CHECK_STR(text, rows[i].grammar, "%s", rows[i].string);
        noise_rules_free(rules);
        noise_grammar_free(g);
    }
}

static const noise_rule *rule_of_length(const noise_rules *rules, uint64_t length)
{
    for (uint32_t r = 1; r < rules->num_rules; r++) {
        if (rules->rule[r].length == length) {
            return &rules->rule[r];
        }
    }
    return NULL;
}

static void ft_has_the_rules_of_table_2(void)
{
    for (int repeat = 19; repeat <= 25; repeat++) {
        uint64_t symbol[64];
        noise_grammar *g = grammar_of(symbol, ft_string(symbol, repeat));
        noise_rules *rules = noise_rules_new(g);
        CHECK_I64(rules->num_rules - 1, 4, "%d repetitions", repeat);
        for (uint64_t length = 2; length <= 16; length *= 2) {
            CHECK(rule_of_length(rules, length) != NULL, "%d, length %d", repeat, (int)length);
        }
        noise_rules_free(rules);
        noise_grammar_free(g);
    }
}

static void ft_makes_47_calls(void)
{
    uint64_t symbol[64];
    CHECK_I64(ft_string(symbol, 20), FT_CALLS);
}

static void cg_has_the_first_six_rules_of_table_5(void)
{
    /* Its first one is printed as 25428: 25248 is 32 outer iterations of 789 calls. */
    static const uint64_t lengths[] = {25248, 12624, 6312, 3156, 1578, 789};
    g_autofree uint64_t *symbol = g_new(uint64_t, CG_CALLS + CG_CYCLE);
    cg_string(symbol, CG_CALLS);
    noise_grammar *g = grammar_of(symbol, CG_CALLS);
    noise_rules *rules = noise_rules_new(g);
    CHECK(noise_grammar_check(g) == NULL);
    CHECK_I64(rules->rule[0].length, 59964);
    CHECK(rules->num_rules - 1 >= 17 && rules->num_rules - 1 <= 21, "%u rules", rules->num_rules);
    for (size_t i = 0; i < G_N_ELEMENTS(lengths); i++) {
        const noise_rule *rule = rule_of_length(rules, lengths[i]);
        if (CHECK(rule != NULL, "length %d", (int)lengths[i])) {
            CHECK(rule->count >= 2);
        }
    }
    noise_rules_free(rules);
    noise_grammar_free(g);
}

/* The share of calls that are the same as the one that many calls later. */
static double same_after(const uint64_t *symbol, size_t n, size_t lag)
{
    size_t same = 0;
    for (size_t i = 0; i + lag < n; i++) {
        same += symbol[i] == symbol[i + lag];
    }
    return (double)same / (double)(n - lag);
}

static void cg_repeats_itself_after_30_and_after_789_calls(void)
{
    /* SC'07, figure 3 */
    g_autofree uint64_t *symbol = g_new(uint64_t, CG_CALLS + CG_CYCLE);
    cg_string(symbol, CG_CALLS);
    CHECK_NEAR(same_after(symbol, CG_CALLS, CG_CYCLE), 1, 0);
    for (size_t lag = 1; lag < CG_CYCLE; lag++) {
        const double same = same_after(symbol, CG_CALLS, lag);
        CHECK(same < 1, "%d", (int)lag);
        if (lag < 60 && lag != 30) {
            CHECK(same < same_after(symbol, CG_CALLS, 30), "%d", (int)lag);
        }
    }
}

static bool is_same(const noise_rule_item *a, const noise_rule_item *b)
{
    return a->symbol == b->symbol && a->rule == b->rule;
}

/* P1 and P2 of what is written down, by comparing all with all. */
static const char *naive_check(const noise_rules *rules)
{
    for (uint32_t r = 0; r < rules->num_rules; r++) {
        uint32_t uses = 0;
        for (uint64_t i = 0; i < rules->num_items; i++) {
            uses += r > 0 && rules->item[i].rule == r;
        }
        if (r > 0 && (uses < 2 || uses != rules->rule[r].uses)) {
            return "uses";
        }
        for (uint32_t q = 0; q <= r; q++) {
            for (uint32_t i = 0; i + 1 < rules->rule[r].num; i++) {
                const uint32_t end = q == r ? i : rules->rule[q].num;
                for (uint32_t k = 0; k + 1 < end; k++) { /* not the pair that overlaps */
                    const noise_rule_item *a = &rules->item[rules->rule[r].first + i];
                    const noise_rule_item *b = &rules->item[rules->rule[q].first + k];
                    if (is_same(a, b) && is_same(a + 1, b + 1)) {
                        return "a pair twice";
                    }
                }
            }
        }
    }
    return NULL;
}

/* @return what is wrong with the grammar of a string */
static const char *check_string(const uint64_t *symbol, size_t n, bool each, bool naive)
{
    noise_grammar *g = noise_grammar_new(0);
    const char *wrong = NULL;
    for (size_t i = 0; i < n && wrong == NULL; i++) {
        g_assert_true(noise_grammar_append(g, symbol[i]));
        wrong = each || i + 1 == n ? noise_grammar_check(g) : NULL;
    }
    noise_rules *rules = noise_rules_new(g);
    g_autofree uint64_t *out = g_new(uint64_t, n + 1);
    if (wrong == NULL && naive) {
        wrong = naive_check(rules);
    }
    if (wrong == NULL && (rules->rule[0].length != n || !noise_rules_expand(rules, 0, out) ||
                          memcmp(out, symbol, n * sizeof *out) != 0)) {
        wrong = "another string";
    }
    noise_rules_free(rules);
    noise_grammar_free(g);
    return wrong;
}

static void all_short_strings_keep_the_invariants(void)
{
    static const struct {
        uint32_t letters, length;
    } rows[] = {{2, 12}, {3, 8}};
    for (size_t row = 0; row < G_N_ELEMENTS(rows); row++) {
        uint32_t all = 1;
        for (uint32_t i = 0; i < rows[row].length; i++) {
            all *= rows[row].letters;
        }
        for (uint32_t v = 0; v < all; v++) {
            uint64_t symbol[16];
            for (uint32_t i = 0, rest = v; i < rows[row].length; i++) {
                symbol[i] = rest % rows[row].letters;
                rest /= rows[row].letters;
            }
            const char *wrong = check_string(symbol, rows[row].length, false, true);
            if (wrong != NULL) {
                CHECK(false, "%u of %u letters: %s", v, rows[row].letters, wrong);
                return;
            }
        }
    }
}

/* Runs, repetitions of what came before, and letters by chance: what rules are made of. */
static void random_string(uint64_t stream, uint64_t *symbol, size_t n, uint64_t letters)
{
    for (size_t i = 0; i < n;) {
        const uint64_t what = noise_random_below(SEED, stream, 3 * i, 4);
        const size_t back = 1 + noise_random_below(SEED, stream, 3 * i + 1, i + 1);
        const size_t many = 1 + noise_random_below(SEED, stream, 3 * i + 2, 12);
        if (what < 2 || back > i) {
            symbol[i] = noise_random_below(SEED, stream, 3 * i + 2, letters);
            i++;
        }
        for (size_t k = 0; what >= 2 && back <= i && k < many && i < n; k++, i++) {
            symbol[i] = what == 2 ? symbol[i - 1] : symbol[i - back];
        }
    }
}

static void ten_thousand_random_strings_keep_the_invariants(void)
{
    uint64_t symbol[200] = {0};
    for (uint64_t k = 0; k < 10000; k++) {
        const size_t n = 1 + noise_random_below(SEED, 0, k, k < 9000 ? 60 : 200);
        random_string(k + 1, symbol, n, 1 + k % 5);
        const char *wrong = check_string(symbol, n, k % 10 == 0, k % 4 == 0);
        if (wrong != NULL) {
            CHECK(false, "string %d of seed %d: %s", (int)k, SEED, wrong);
            return;
        }
    }
}

static void long_random_strings_keep_the_invariants(void)
{
    enum { LONG = 100000 };
    g_autofree uint64_t *symbol = g_new0(uint64_t, LONG);
    for (uint64_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < LONG; i++) { /* binary, and of any 64 bits */
            symbol[i] =
                k % 2 == 0 ? noise_random_below(SEED, k, i, 2) : noise_random_u64(SEED, k, i);
        }
        if (k > 1) {
            random_string(1 << 20 | k, symbol, LONG, k == 2 ? 2 : 1000);
        }
        const char *wrong = check_string(symbol, LONG, false, false);
        CHECK(wrong == NULL, "%d: %s", (int)k, wrong);
    }
}

static bool are_same(const noise_rules *a, const noise_rules *b)
{
    bool same = a->num_rules == b->num_rules && a->num_items == b->num_items;
    for (uint32_t r = 0; same && r < a->num_rules; r++) {
        same = a->rule[r].uses == b->rule[r].uses && a->rule[r].num == b->rule[r].num;
    }
    for (uint64_t i = 0; same && i < a->num_items; i++) {
        same = is_same(&a->item[i], &b->item[i]);
    }
    return same;
}

static void symbols_at_once_make_the_grammar_of_symbols_one_by_one(void)
{
    enum { MOST = 3000 };
    uint64_t symbol[MOST] = {0};
    for (uint64_t k = 0; k < 200; k++) {
        const uint64_t most = k % 4 == 0 ? 6000 + 100 * k : 0; /* some become full */
        const uint64_t n = noise_random_below(SEED, 1, k, MOST);
        random_string(k, symbol, n, 1 + k % 60);
        noise_grammar *single = noise_grammar_new(most);
        uint64_t taken = 0;
        while (taken < n && noise_grammar_append(single, symbol[taken])) {
            taken++;
        }
        noise_grammar *blocks = noise_grammar_new(most);
        uint64_t at = 0;
        for (uint64_t num = 1, full = 0; at < n && full == 0; num = 2 * num % 257) {
            const uint64_t want = num < n - at ? num : n - at;
            const uint64_t got = noise_grammar_append_all(blocks, symbol + at, want);
            at += got;
            full = got < want;
        }
        CHECK_I64(at, taken, "%d", (int)k);
        CHECK_I64(noise_grammar_length(blocks), taken, "%d", (int)k);
        CHECK(taken == n || noise_grammar_append_all(blocks, symbol, 2) == 0, "%d", (int)k);
        CHECK(taken < n || noise_grammar_check(blocks) == NULL, "%d", (int)k);
        noise_rules *a = noise_rules_new(single);
        noise_rules *b = noise_rules_new(blocks);
        CHECK(are_same(a, b), "%d", (int)k);
        noise_rules_free(a);
        noise_rules_free(b);
        noise_grammar_free(single);
        noise_grammar_free(blocks);
    }
}

static void rules_say_how_often_they_occur(void)
{
    /* S:AAB A:BB B:abc */
    uint64_t symbol[15];
    for (size_t i = 0; i < 15; i++) {
        symbol[i] = i % 3;
    }
    noise_grammar *g = grammar_of(symbol, 15);
    noise_rules *rules = noise_rules_new(g);
    CHECK_I64(rules->rule[1].count, 2);
    CHECK_I64(rules->rule[1].length, 6);
    CHECK_I64(rules->rule[2].count, 5);
    CHECK_I64(rules->rule[2].uses, 3);
    uint64_t out[3];
    CHECK(noise_rules_expand(rules, 2, out) && out[0] == 0 && out[1] == 1 && out[2] == 2);
    noise_rules_free(rules);
    noise_grammar_free(g);
}

static void what_repeats_itself_takes_no_memory(void)
{
    uint64_t bytes[2];
    for (size_t k = 0; k < 2; k++) {
        noise_grammar *g = noise_grammar_new(0);
        const uint64_t n = k == 0 ? 100000 : 400000;
        for (uint64_t i = 0; i < n; i++) {
            g_assert_true(noise_grammar_append(g, i % 1000));
        }
        bytes[k] = noise_grammar_bytes(g);
        CHECK(noise_grammar_nodes(g) < 1100);
        CHECK(noise_grammar_check(g) == NULL);
        noise_grammar_free(g);
    }
    CHECK_I64(bytes[1], bytes[0]);
}

static void a_full_grammar_stays_what_it_is(void)
{
    enum { MOST = 2000 };
    for (uint64_t k = 0; k < 40; k++) {
        noise_grammar *g = noise_grammar_new(4000 + 500 * k);
        uint64_t symbol[MOST] = {0};
        random_string(k, symbol, MOST, k % 2 == 0 ? 2 : UINT64_MAX);
        size_t n = 0;
        while (n < MOST && noise_grammar_append(g, symbol[n])) {
            n++;
        }
        CHECK(noise_grammar_bytes(g) <= 4000 + 500 * k);
        CHECK(n > 50 && (n == MOST || !noise_grammar_append(g, 1)), "%d: %d", (int)k, (int)n);
        CHECK_I64(noise_grammar_length(g), n);
        noise_rules *rules = noise_rules_new(g);
        uint64_t out[MOST];
        CHECK_I64(rules->rule[0].length, n);
        CHECK(noise_rules_expand(rules, 0, out) && memcmp(out, symbol, n * sizeof *out) == 0);
        noise_rules_free(rules);
        noise_grammar_free(g);
    }
    CHECK(noise_grammar_new(100) == NULL);
}

SUITE_MAIN("grammar", TEST(strings_have_the_grammars_of_the_paper_and_the_prototype),
           TEST(ft_makes_47_calls), TEST(ft_has_the_rules_of_table_2),
           TEST(cg_has_the_first_six_rules_of_table_5),
           TEST(cg_repeats_itself_after_30_and_after_789_calls),
           TEST(all_short_strings_keep_the_invariants),
           TEST(ten_thousand_random_strings_keep_the_invariants),
           TEST(long_random_strings_keep_the_invariants),
           TEST(symbols_at_once_make_the_grammar_of_symbols_one_by_one),
           TEST(rules_say_how_often_they_occur), TEST(what_repeats_itself_takes_no_memory),
           TEST(a_full_grammar_stays_what_it_is))
