/* tests/schedgen/goal/test_goal_text_fast.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines as programs write them are read by another way than the rest. */
#include "check.h"
#include "goal_random.h"
#include "sched/goal.h"

#include <string.h>

#define SEED 20101119

static const char *pick(GRand *rand, const char *const *list, size_t n)
{
    return list[g_rand_int_range(rand, 0, (gint32)n)];
}

static void append_number(GString *line, GRand *rand, const char *usual)
{
    static const char *const numbers[] = {"0",
                                          "7",
                                          "12",
                                          "254",
                                          "255",
                                          "256",
                                          "007",
                                          "9999999",
                                          "12345678",
                                          "123456789",
                                          "4294967295",
                                          "4294967296",
                                          "99999999999999",
                                          "123456789012345",
                                          "1234567890123456",
                                          "2305843009213693",
                                          "2305843009213694",
                                          "9223372036854775807",
                                          "9223372036854775808",
                                          "18446744073709551615",
                                          "18446744073709551616",
                                          "-1",
                                          "x",
                                          ""};
    g_string_append(line, g_rand_int_range(rand, 0, 24) > 0
                              ? usual
                              : pick(rand, numbers, G_N_ELEMENTS(numbers)));
}

static void append_label(GString *line, GRand *rand, int index)
{
    static const char *const labels[] = {
        "x",           "l0",
        "l01",         "a_b",
        "L1",          "l",
        "l1x",         "l99999999",
        "l1234567890", "send",
        "rank",        "num_ranks",
        "requires",    "l5_",
        "_l",          "l-1",
        "caf\xc3\xa9", "a_label_that_is_longer_than_all_that_are_looked_at_at_once_by_the_reader"};
    switch (g_rand_int_range(rand, 0, 40)) {
    case 0:
        g_string_append(line, pick(rand, labels, G_N_ELEMENTS(labels)));
        break;
    case 1:
        g_string_append_printf(line, "name_%d", g_rand_int_range(rand, 0, index + 1));
        break;
    case 2:
        g_string_append_printf(line, "l%d", g_rand_int_range(rand, 0, 2 * index + 9));
        break;
    default:
        g_string_append_printf(line, "l%d", index);
    }
}

static void append_op(GString *line, GRand *rand)
{
    static const char *const ops[] = {"send ", "recv ", "calc ", "send", "put ", "calcs "};
    static const char *const to[] = {"b to ", "b from ", "bto ", " b to ", "b  to "};
    const int type = g_rand_int_range(rand, 0, g_rand_int_range(rand, 0, 40) ? 3 : 6);
    g_string_append(line, ops[type]);
    append_number(line, rand, "64");
    if (type != 2) {
        const bool usual = g_rand_int_range(rand, 0, 40) > 0;
        g_string_append(line, usual ? to[type == 1] : pick(rand, to, G_N_ELEMENTS(to)));
        append_number(line, rand, "1");
    }
    static const char *const options[] = {" tag ", " cpu ", " nic "};
    for (int k = 0; k < 3; k++) {
        if (g_rand_int_range(rand, 0, 3) == 0) {
            g_string_append(line, options[k]);
            append_number(line, rand, "3");
        }
    }
}

static char *random_line(GRand *rand, int index)
{
    static const char *const needs[] = {" requires ", " irequires ", " requires",
                                        " require ",  "  requires ", " irequires  "};
    static const char *const ends[] = {" ", "\r", " // x", "/* x */", ".", "\t", " x", "\n"};
    GString *line = g_string_new(NULL);
    if (index == 1 || g_rand_boolean(rand)) {
        append_label(line, rand, index);
        g_string_append(line, g_rand_int_range(rand, 0, 40) ? ": " : ":");
        append_op(line, rand);
    } else {
        append_label(line, rand, g_rand_int_range(rand, 1, index));
        const size_t n = g_rand_int_range(rand, 0, 40) ? 2 : G_N_ELEMENTS(needs);
        g_string_append(line, pick(rand, needs, n));
        append_label(line, rand, g_rand_int_range(rand, 1, index));
    }
    if (g_rand_int_range(rand, 0, 60) == 0) {
        g_string_append(line, pick(rand, ends, G_N_ELEMENTS(ends)));
    }
    return g_string_free(line, FALSE);
}

static bool same_labels(const sim_graph *a, const sim_graph *b)
{
    bool same = true;
    for (uint32_t i = 0; i < sim_graph_num_ops(a, 0); i++) {
        same = same && g_strcmp0(sim_graph_label(a, 0, i), sim_graph_label(b, 0, i)) == 0;
    }
    return same;
}

/* An indented line is never as programs write it. Both are the same, errors included. */
static void both_ways_of_reading_agree(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(SEED + 7);
    uint32_t read = 0;
    uint32_t longest = 0;
    for (int round = 0; round < 20000; round++) {
        g_autoptr(GString) plain = g_string_new("num_ranks 3\nrank 0 {\n");
        g_autoptr(GString) indented = g_string_new(plain->str);
        const int lines = g_rand_int_range(rand, 1, 14);
        int ops = 0;
        for (int k = 0; k < lines; k++) {
            g_autofree char *line = random_line(rand, ops + 1);
            ops += strchr(line, ':') != NULL;
            g_string_append_printf(plain, "%s\n", line);
            g_string_append_printf(indented, " %s\n", line);
        }
        for (int k = 0; k < 20; k++) { /* the end of a file is read the long way */
            g_string_append(plain, "calc 1234567\n");
            g_string_append(indented, " calc 1234567\n");
        }
        g_string_append(plain, "}\n");
        g_string_append(indented, "}\n");
        g_autoptr(GError) error = NULL;
        g_autoptr(GError) other = NULL;
        g_autoptr(sim_graph) a = sched_goal_read_data("f", plain->str, plain->len, false, &error);
        g_autoptr(sim_graph) b =
            sched_goal_read_data("f", indented->str, indented->len, false, &other);
        if (!CHECK((a == NULL) == (b == NULL), "round %d:\n%s", round, plain->str)) {
            return;
        }
        if (a == NULL) {
            CHECK_STR(error->message, other->message);
        } else {
            read++;
            longest = MAX(longest, sim_graph_num_ops(a, 0));
            CHECK(goal_same_graph(a, b, true) && same_labels(a, b), "round %d:\n%s", round,
                  plain->str);
        }
    }
    CHECK(read > 2000 && longest > 24, "%u were read, up to %u operations", read, longest);
}

/* Numbered through the whole file, as some generators do; gaps; from the last to the first. */
static void labels_may_be_numbered_otherwise(void)
{
    g_autoptr(GString) text = g_string_new("num_ranks 4\n");
    static const char *const before[] = {"l", "l", "l00", "op"};
    static const char *const after[] = {"", "0", "", ""};
    for (uint32_t r = 0; r < 4; r++) {
        g_string_append_printf(text, "rank %u {\n", r);
        for (uint32_t i = 0; i < 2000; i++) {
            const uint32_t number = r == 3 ? 4000 - i : 1000 * r + i;
            for (int line = 0; line < (i > 0 ? 2 : 1); line++) {
                g_string_append_printf(text, "%s%u%s%s", before[r], number, after[r],
                                       line == 0 ? ": calc 1\n" : " requires ");
            }
            if (i > 0) {
                g_string_append_printf(text, "%s%u%s\n", before[r],
                                       r == 3 ? number + 1 : number - 1, after[r]);
            }
        }
        g_string_append(text, "}\n");
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_graph) g = sched_goal_read_data("f", text->str, text->len, true, &error);
    if (!CHECK(g != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    CHECK_I64(sim_graph_total_edges(g), 4 * 1999);
    for (uint32_t r = 0; r < 4; r++) {
        for (uint32_t i = 0; i + 1 < 2000; i++) {
            uint32_t n;
            const uint32_t *step = sim_graph_finish_steps(g, r, i, &n);
            if (!CHECK(n == 1 && step[0] == 1, "rank %u, operation %u", r, i)) {
                break;
            }
        }
    }
    CHECK_STR(sim_graph_label(g, 1, 3), "l10030");
    CHECK_STR(sim_graph_label(g, 3, 3), "op3997");
}

/* What a block begins with is counted with; other labels in it are what they always were. */
static void labels_may_be_counted_with_another_stem(void)
{
    static const char *const labels[] = {"r7_step1",  "l2",      "r7_step3", "l9",
                                         "r7_step03", "r7_step", "r7_step8", "l8"};
    g_autoptr(GString) text = g_string_new("num_ranks 2\n");
    for (uint32_t r = 0; r < 2; r++) {
        g_string_append_printf(text, "rank %u {\n", r);
        for (size_t i = 0; i < G_N_ELEMENTS(labels); i++) {
            g_string_append_printf(text, "%s: calc %zu\n", labels[i], i);
            if (i > 1) {
                g_string_append_printf(text, "%s requires %s\n", labels[i], labels[i - 2]);
            }
        }
        g_string_append(text, "}\n");
    }
    g_autofree char *padding = g_strnfill(400, '-');
    g_string_append_printf(text, "// %s\n", padding);
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_graph) g = sched_goal_read_data("f", text->str, text->len, true, &error);
    if (!CHECK(g != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    for (uint32_t r = 0; r < 2; r++) {
        for (uint32_t i = 0; i < G_N_ELEMENTS(labels); i++) {
            uint32_t n;
            const uint32_t *step = sim_graph_finish_steps(g, r, i, &n);
            CHECK(i + 2 < G_N_ELEMENTS(labels) ? n == 1 && step[0] == 2 : n == 0, "%s", labels[i]);
            const bool plain = i == 1 || i == 7; /* l<index + 1> */
            CHECK_STR(sim_graph_label(g, r, i), plain ? NULL : labels[i]);
        }
    }
}

/* A block of up to 12 operations, mostly like the one before: labels may change or come twice. */
static void append_block(GString *text, GRand *rand, uint32_t rank, int change)
{
    static const char *const forms[][2] = {
        {"l", ""},      {"op_", ""},   {"l", "_of_a_phase"}, {"a_label_of_a_length_", ""},
        {"r0_op", ""},  {"r1_op", ""}, {"r17_op", ""},       {"op", "_r0"},
        {"op", "_r17"}, {"op_1", ""},  {"l2_", ""},          {"l1", ""}};
    enum { FORMS = G_N_ELEMENTS(forms) };
    const char *const *form = forms[g_rand_int_range(rand, 0, FORMS * change + 1) % FORMS];
    const int ops = 12 - g_rand_int_range(rand, 0, 3 * change + 1);
    g_string_append_printf(text, "rank %u {\n", rank);
    for (int i = 1; i <= ops; i++) {
        const int other = g_rand_int_range(rand, 1, 13);
        const int number = g_rand_int_range(rand, 0, 40) < change ? other : i;
        g_string_append_printf(text, "%s%d%s: calc %d\n", form[0], number, form[1], i);
        const int earlier = g_rand_int_range(rand, 0, 9) < change ? other : i - 1;
        if (earlier > 0 && earlier < i) {
            g_string_append_printf(text, "%s%d%s %srequires %s%d%s\n", form[0], i, form[1],
                                   i % 3 == 0 ? "i" : "", form[0], earlier, form[1]);
        }
    }
    g_string_append(text, "}\n");
}

static sim_graph *read_blocks(const char *first, const char *second, GError **error)
{
    g_autofree char *padding = g_strnfill(400, '-'); /* so that none is read as the end is */
    g_autofree char *text = g_strdup_printf("num_ranks 2\n%s%s// %s\n", first, second, padding);
    return sched_goal_read_data("f", text, strlen(text), false, error);
}

static void check_same_rank(const sim_graph *x, const sim_graph *y, uint32_t rank, int turn)
{
    CHECK_I64(sim_graph_num_ops(x, rank), sim_graph_num_ops(y, rank), "turn %d", turn);
    for (uint32_t i = 0; i < sim_graph_num_ops(x, rank); i++) {
        uint32_t n[2];
        const uint32_t *a = sim_graph_finish_steps(x, rank, i, &n[0]);
        const uint32_t *b = sim_graph_finish_steps(y, rank, i, &n[1]);
        CHECK(n[0] == n[1] && (n[0] == 0 || memcmp(a, b, n[0] * sizeof *a) == 0),
              "turn %d, operation %u", turn, i);
        g_autofree char *label = g_strdup(sim_graph_label(x, rank, i));
        CHECK_STR(sim_graph_label(y, rank, i), label);
    }
}

/* What was known of the block before must not show: a block is read as if it were alone. */
static void a_block_is_read_as_if_it_were_alone(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(SEED);
    int read = 0;
    for (int turn = 0; turn < 3000; turn++) {
        g_autoptr(GString) first = g_string_new(NULL);
        g_autoptr(GString) second = g_string_new(NULL);
        append_block(first, rand, 0, turn % 3);
        append_block(second, rand, 1, turn / 3 % 3);
        g_autoptr(sim_graph) before = read_blocks(first->str, "", NULL);
        if (before == NULL) {
            continue;
        }
        g_autoptr(sim_graph) alone = read_blocks("", second->str, NULL);
        g_autoptr(sim_graph) both = read_blocks(first->str, second->str, NULL);
        if (CHECK((alone == NULL) == (both == NULL), "turn %d", turn) && both != NULL) {
            read++;
            check_same_rank(alone, both, 1, turn);
        }
    }
    CHECK(read > 1000, "%d", read);
}

SUITE_MAIN("goal_text_fast", TEST(both_ways_of_reading_agree),
           TEST(a_block_is_read_as_if_it_were_alone), TEST(labels_may_be_numbered_otherwise),
           TEST(labels_may_be_counted_with_another_stem))
