/* tests/noise/sequences/test_typical.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/sequences.h"
#include "program_strings.h"

static char *lengths_of(const noise_sequences *set)
{
    GString *out = g_string_new("");
    for (uint32_t l = 0; l < noise_sequences_num(set); l++) {
        const noise_sequence *s = noise_sequences_at(set, l);
        g_string_append_printf(out, "%s%u%s", l > 0 ? " " : "", s->length,
                               s->misaligned ? "!" : "");
    }
    return g_string_free(out, FALSE);
}

static noise_symbols letters(const char *text, uint64_t *room)
{
    const size_t n = strlen(text);
    for (size_t i = 0; i < n; i++) {
        room[i] = (uint64_t)text[i];
    }
    return (noise_symbols){room, n};
}

static void ft_has_the_sequences_of_table_2(void)
{
    uint64_t symbol[64];
    const noise_symbols rank = {symbol, ft_string(symbol, 20)};
    const noise_symbols ranks[] = {rank, rank, rank};
    noise_sequences_found found;
    noise_sequences *set =
        noise_sequences_learn(ranks, 3, &(noise_sequences_options){.most = 4}, &found);
    g_autofree char *lengths = lengths_of(set);
    CHECK_STR(lengths, "16 8 4 2");
    CHECK_I64(found.num_rules, 4);
    CHECK_I64(found.least[0], 2);
    CHECK_I64(found.greatest[3], 20);
    CHECK_NEAR(found.covered, 40.0 / 47, 1e-12);
    noise_sequences_free(set);
}

static void cg_has_the_sequences_of_table_5(void)
{
    g_autofree uint64_t *symbol = g_new(uint64_t, CG_CALLS + CG_CYCLE);
    cg_string(symbol, CG_CALLS);
    const noise_symbols rank = {symbol, CG_CALLS};
    const noise_symbols ranks[] = {rank, rank};
    noise_sequences *set = noise_sequences_learn(ranks, 2, &(noise_sequences_options){0}, NULL);
    g_autofree char *lengths = lengths_of(set);
    /* the last two of the paper, 720 and 480, depend on calls to set up that it does not list */
    CHECK_STR(lengths, "25248 12624 6312 3156 1578 789 729 360");
    noise_sequences_free(set);
}

static void a_finer_grammar_has_sequences_of_what_is_matched(void)
{
    /* As published: the grammar of function and peer, occurrences of functions. */
    g_autofree uint64_t *finer = g_new(uint64_t, CG_CALLS + CG_CYCLE);
    g_autofree uint64_t *function = g_new(uint64_t, CG_CALLS);
    cg_string(finer, CG_CALLS);
    for (size_t i = 0; i < CG_CALLS; i++) {
        function[i] = finer[i] == 8 ? 3 : 1 + finer[i] % 2; /* Wait; Irecv, Send */
    }
    const noise_symbols rank = {function, CG_CALLS};
    noise_sequences_options options = {.most = 6};
    noise_sequences *set = noise_sequences_learn(&rank, 1, &options, NULL);
    g_autofree char *plain = lengths_of(set);
    CHECK_STR(plain, "24576 12288 6144 3072 1536 768"); /* powers of two of the three functions */
    noise_sequences_free(set);
    options.finer = finer;
    set = noise_sequences_learn(&rank, 1, &options, NULL);
    g_autofree char *lengths = lengths_of(set);
    CHECK_STR(lengths, "25248 12624 6312 3156 1578 789");
    for (uint32_t i = 0; i < 789; i++) {
        CHECK(noise_sequences_at(set, 5)->symbol[i] <= 3, "%u", i);
    }
    noise_sequences_free(set);
}

static void sequences_must_occur_often_enough_on_all_ranks(void)
{
    uint64_t room[3][64];
    const noise_symbols ranks[] = {
        letters("abcdabcdxyxyabcdxy", room[0]), /* S:AABBAB A:abcd B:xy */
        letters("abcdabcdxyqabcdqxy", room[1]),
        letters("abcdqabcdrrxyqqqqqq", room[2]), /* xy but once */
    };
    static const struct {
        noise_sequences_options options;
        uint32_t ranks;
        const char *lengths;
    } rows[] = {
        {{0}, 2, "4 2!"},
        {{0}, 3, "4!"},
        {{.min_count = 3}, 2, "4"},
        {{.min_count = 4}, 1, ""},
        {{.min_length = 3}, 2, "4"},
        {{.most = 1}, 2, "4"},
        {{.abstracted = 2, .min_count = 1}, 3, "4!"},
        {{.most = 1}, 1, "6"}, /* abcdxy */
        {{.most_tried = 1}, 2, ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        noise_sequences *set = noise_sequences_learn(ranks, rows[i].ranks, &rows[i].options, NULL);
        g_autofree char *lengths = lengths_of(set);
        CHECK_STR(lengths, rows[i].lengths, "row %d", (int)i);
        noise_sequences_free(set);
    }
}

/* As many times "ab" as told, with something else between. */
static noise_symbols repeated(uint64_t n, uint64_t *room)
{
    for (uint64_t i = 0; i < n; i++) {
        *room++ = 'a';
        *room++ = 'b';
        *room++ = 1000 + i;
    }
    return (noise_symbols){room - 3 * n, 3 * n};
}

static void counts_that_differ_by_more_than_a_20th_are_misaligned(void)
{
    static const struct {
        uint64_t counts[2];
        const char *lengths;
    } rows[] = {{{20, 20}, "2"},  {{20, 19}, "2"}, {{19, 20}, "2"},
                {{20, 18}, "2!"}, {{39, 41}, "2"}, {{38, 41}, "2!"}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        uint64_t room[2][128];
        const noise_symbols ranks[] = {repeated(rows[i].counts[0], room[0]),
                                       repeated(rows[i].counts[1], room[1])};
        noise_sequences *set = noise_sequences_learn(ranks, 2, &(noise_sequences_options){0}, NULL);
        g_autofree char *lengths = lengths_of(set);
        CHECK_STR(lengths, rows[i].lengths, "row %d", (int)i);
        noise_sequences_free(set);
    }
}

static void ranks_without_calls_have_no_sequences(void)
{
    uint64_t room[8];
    const noise_symbols ranks[] = {letters("", room), letters("", room)};
    noise_sequences_found found;
    noise_sequences *set = noise_sequences_learn(ranks, 2, &(noise_sequences_options){0}, &found);
    CHECK_I64(noise_sequences_num(set), 0);
    CHECK_I64(found.candidates, 0);
    CHECK_NEAR(found.covered, 0, 0);
    noise_sequences_free(set);
    const noise_sequences_options beyond = {.abstracted = 2};
    CHECK(noise_sequences_learn(ranks, 2, &beyond, NULL) == NULL);
}

SUITE_MAIN("typical", TEST(ft_has_the_sequences_of_table_2), TEST(cg_has_the_sequences_of_table_5),
           TEST(a_finer_grammar_has_sequences_of_what_is_matched),
           TEST(sequences_must_occur_often_enough_on_all_ranks),
           TEST(counts_that_differ_by_more_than_a_20th_are_misaligned),
           TEST(ranks_without_calls_have_no_sequences))
