/* tests/schedgen/goal/test_goal_text.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "goal_random.h"
#include "sched/goal.h"

#include <glib/gstdio.h>

#define SEED 20101113

static sim_graph *read_text(const char *text, bool strict, GError **error)
{
    return sched_goal_read_data("f", text, strlen(text), strict, error);
}

/* The one operation of rank 0 of two. */
static bool read_one_op(const char *statement, sim_op *out, GError **error)
{
    g_autofree char *text = g_strconcat("num_ranks 2\nrank 0 {\n", statement, "\n}\n", NULL);
    g_autoptr(sim_graph) graph = read_text(text, false, error);
    if (graph == NULL || sim_graph_num_ops(graph, 0) != 1) {
        return false;
    }
    *out = sim_graph_op(graph, 0, 0);
    return true;
}

static void every_form_of_an_operation_is_read(void)
{
    /* docs/goal.md, section 1; wanted by hand. */
    static const struct {
        const char *statement;
        sim_op op;
    } row[] = {
        {"l1: send 10b to 1 tag 7 cpu 3 nic 2", {10, 1, 7, 0, SIM_OP_SEND, 3, 2}},
        {"send 5 b to 0", {5, 0, 0, 0, SIM_OP_SEND, 0, 0}},
        {"send 5bto1tag3cpu1nic2", {5, 1, 3, 0, SIM_OP_SEND, 1, 2}},
        {"a:recv10bfrom0tag7", {10, 0, 7, 0, SIM_OP_RECV, 0, 0}},
        {"a :recv 1b from -1 tag -1", {1, SIM_ANY, SIM_ANY, 0, SIM_OP_RECV, 0, 0}},
        {"a: send 0b to 1 tag -1", {0, 1, SIM_ANY, 0, SIM_OP_SEND, 0, 0}},
        {"recv 1b from 1 tag 18446744073709551615", {1, 1, SIM_ANY, 0, SIM_OP_RECV, 0, 0}},
        {"recv 1b from 1 tag 4294967301", {1, 1, 5, 0, SIM_OP_RECV, 0, 0}},
        {"\t calc 100 cpu 254 // why", {100000, 0, 0, 0, SIM_OP_CALC, 254, 0}},
        {"calc 7 /* why */", {7000, 0, 0, 0, SIM_OP_CALC, 0, 0}},
        {"send1: calc /* mid */ 1\r", {1000, 0, 0, 0, SIM_OP_CALC, 0, 0}},
        {"calculus:calc5", {5000, 0, 0, 0, SIM_OP_CALC, 0, 0}},
        {"x: send 9223372036854775807b to 0 nic 254", {INT64_MAX, 0, 0, 0, SIM_OP_SEND, 0, 254}},
        {"calc 2305843009213693", {INT64_C(2305843009213693000), 0, 0, 0, SIM_OP_CALC, 0, 0}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        sim_op op = {0};
        g_autoptr(GError) error = NULL;
        if (CHECK(read_one_op(row[i].statement, &op, &error), "%s: %s", row[i].statement,
                  error != NULL ? error->message : "not one operation")) {
            CHECK_I64(op.size, row[i].op.size, "%s", row[i].statement);
            CHECK_I64(op.peer, row[i].op.peer, "%s", row[i].statement);
            CHECK_I64(op.tag, row[i].op.tag, "%s", row[i].statement);
            CHECK_I64(op.type, row[i].op.type, "%s", row[i].statement);
            CHECK_I64(op.cpu, row[i].op.cpu, "%s", row[i].statement);
            CHECK_I64(op.nic, row[i].op.nic, "%s", row[i].statement);
        }
    }
}

static void bad_statements_are_named_with_their_line(void)
{
    static const struct {
        const char *statement;
        const char *wanted;
    } row[] = {
        {"send 5b to 2", "f:3: peer is not one of the ranks: '2'"},
        {"send 5b to -1", "f:3: rank of the peer: '-1'"},
        {"recv 5b from -2", "f:3: rank of the peer: '-2'"},
        {"send 5b to 4294967296", "f:3: peer is not one of the ranks: '4294967296'"},
        {"send 5kb to 1", "f:3: the size should be followed by 'b': 'kb to 1'"},
        {"send 5 to 1", "f:3: the size should be followed by 'b'"},
        {"send 5b from 1", "f:3: 'to' is missing: 'from 1'"},
        {"recv 5b to 1", "f:3: 'from' is missing: 'to 1'"},
        {"send 9223372036854775808b to 1",
         "f:3: size is out of range: '9223372036854775808b to 1'"},
        {"send 18446744073709551616b to 1", "f:3: size is out of range"},
        {"send 1b to 1 tag 18446744073709551616", "f:3: tag is out of range"},
        {"send 1b to 1 cpu 255", "f:3: cpu is out of range: '255'"},
        {"send 1b to 1 nic 255", "f:3: nic is out of range: '255'"},
        {"send 1b to 1 nic 1 cpu 1", "f:3: the statement should end here: 'cpu 1'"},
        {"send 1b to 1 cpu 1 tag 1", "f:3: the statement should end here: 'tag 1'"},
        {"calc 5 nic 1", "f:3: the statement should end here: 'nic 1'"},
        {"calc -5", "f:3: duration in ns: '-5'"},
        {"calc 1.5", "f:3: the statement should end here: '.5'"},
        {"calc 2305843009213694", "f:3: duration in ns is out of range"},
        {"calc", "f:3: duration in ns: 'end of line'"},
        {"Send 1b to 1", "f:3: the label should be followed by"},
        {"# comment", "f:3: not a statement: '# comment'"},
        {"l1: put 1b to 1", "f:3: Portals operation not supported: 'put 1b to 1'"},
        {"l1: tappend 1b to 1", "f:3: Portals operation not supported"},
        {"l1: move 1b to 1", "f:3: not an operation (send, recv or calc): 'move 1b to 1'"},
        {"l1: 5", "f:3: not an operation: '5'"},
        {"calc 5 /* x", "f:3: comment without end"},
        {"/ x", "f:3: neither a statement nor a comment"},
        {"a: calc 5\na requires b", "f:4: label is not defined in this block: 'b'"},
        {"a: calc 5\nc requires a", "f:4: label is not defined in this block: 'c requires a'"},
        {"a: calc 5\na requires", "f:4: not a label: 'end of line'"},
        {"a: calc 5\na requires a b", "f:4: the statement should end here: 'b'"},
        {"rank 1 {", "f:2: block without '}'"},
        {"}\ncalc 5\nrank 1 {", "f:4: operation outside a rank block"},
        {"}\na requires b\nrank 1 {", "f:4: dependency outside a rank block"},
        {"}\n}\nrank 1 {", "f:4: '}' without a block"},
        {"}\nrank 0 {", "f:4: second block of this rank: '0 {'"},
        {"}\nrank 2 {", "f:4: rank is not below num_ranks: '2 {'"},
        {"}\nrank 1\n{", "f:4: '{' is missing"},
        {"}\nnum_ranks 3\nrank 1 {", "f:4: number of ranks differs"},
        {"}\nrank 1 {\n}\n\"\xff\x01", "not a statement"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        sim_op op;
        g_autoptr(GError) error = NULL;
        CHECK(!read_one_op(row[i].statement, &op, &error), "%s", row[i].statement);
        CHECK_ERROR(error, row[i].wanted);
        CHECK(error != NULL && g_utf8_validate(error->message, -1, NULL), "%s", row[i].statement);
    }
}

static void damaged_files_are_refused(void)
{
    static const struct {
        const char *text;
        const char *wanted;
    } row[] = {
        {"", "f:1: 'num_ranks' is missing: 'end of file'"},
        {"rank 0 {\n}\n", "f:1: 'num_ranks' must come before the first rank"},
        {"num_ranks 0\n", "f:1: number of ranks is 0"},
        {"num_ranks\n", "f:1: number of ranks: 'end of line'"},
        {"num_ranks 4294967295\n", "f:1: number of ranks is out of range: '4294967295'"},
        {"num_ranks 4294967294\n", "f:1: number of ranks is 0, or more than the file can hold"},
        {"num_ranks 2\nrank 0 {\nl1: calc 5\n", "f:2: block without '}'; is the file cut short?"},
        {"num_ranks 2\n\nrank 0 {\nl1: calc 5\nl1 req", "f:5: the label should be followed by"},
        {"num_ranks 1\nrank 0 {\n/* l1", "f:3: comment without end"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_graph) graph = read_text(row[i].text, false, &error);
        CHECK(graph == NULL, "row %zu", i);
        CHECK_ERROR(error, row[i].wanted);
    }
}

/* docs/goal.md, section 2: what is accepted unless strict. */
static void strict_is_what_the_reference_takes(void)
{
    static const struct {
        const char *text;
        const char *refusal; /* NULL: accepted when strict as well */
    } row[] = {
        {"num_ranks 1rank 0 {calc 5\n}", NULL},
        {"num_ranks 2\r\nrank 0 {\r\n}\r\nrank 1 {}", NULL},
        {"num_ranks 3\nnum_ranks 1\n// x\n/* y\n */rank 0 {/* z */calc 5  \n \t\n}\n", NULL},
        {"num_ranks 1\nrank 0 {\na: calc 5\nb: calc 6\nb requiresa\na: calc 7\n}", NULL},
        {"num_ranks 1\nrank 0 {\n calc 5\n}", "f:3: indented"},
        {"num_ranks 1\nrank 0 {\n }", "f:3: indented"},
        {"num_ranks 1\nrank 0 { }", "f:2: indented"},
        {"num_ranks 1 rank 0 {}", "f:1: indented"},
        {"num_ranks 1\nrank 0 {\ncalc 5 // x\n}", "f:3: the statement should end here: '// x'"},
        {"num_ranks 1\nrank 0 {\na: calc 5\na requires b\nb: calc 6\n}",
         "f:4: label is not defined above: 'b'"},
        {"num_ranks 2\nrank 1 {\n}\nrank 0 {\n}", "f:2: blocks of ranks are not in ascending"},
        {"num_ranks 3\nrank 0 {\n}\nrank 2 {\n}", "f:4: blocks of ranks are not in ascending"},
        {"num_ranks 3\nrank 0 {\n}\nrank 1 {\n}", "f: rank 2 of 3 has no block"},
        {"num_ranks 1\n", "f: rank 0 of 1 has no block"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_graph) lenient = read_text(row[i].text, false, &error);
        CHECK(lenient != NULL, "row %zu: %s", i, error != NULL ? error->message : "");
        g_clear_error(&error);
        g_autoptr(sim_graph) strict = read_text(row[i].text, true, &error);
        CHECK((strict != NULL) == (row[i].refusal == NULL), "row %zu: %s", i,
              error != NULL ? error->message : "");
        if (row[i].refusal != NULL) {
            CHECK_ERROR(error, row[i].refusal);
        }
    }
}

static void labels_belong_to_the_first_who_had_them(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_graph) graph = read_text("num_ranks 1\nrank 0 {\n"
                                           "l3: calc 1\n"     /* 0, not the default name */
                                           "l2: calc 2\n"     /* 1, the default name */
                                           "l3: calc 3\n"     /* 2, taken */
                                           "calc 4\n"         /* 3, cannot be named */
                                           "l3 irequires b\n" /* 0, forwards */
                                           "l2 requires l3\n" /* 1 -> 0 */
                                           "l6 requires b\n"  /* 5 -> 4, forwards */
                                           "l6 requires b\n"  /* twice is two edges */
                                           "b: calc 5\n"      /* 4 */
                                           "l6: calc 6\n}",   /* 5 */
                                           false, &error);
    if (!CHECK(graph != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    uint32_t n;
    const uint32_t *next = sim_graph_finish_steps(graph, 0, 0, &n);
    CHECK(n == 1 && next[0] == 1);
    next = sim_graph_finish_steps(graph, 0, 4, &n);
    CHECK(n == 2 && 4 + next[0] == 5 && 4 + next[1] == 5);
    next = sim_graph_start_steps(graph, 0, 4, &n);
    CHECK(n == 1 && 4 + next[0] == 0);
    CHECK_STR(sim_graph_label(graph, 0, 0), "l3");
    CHECK(sim_graph_label(graph, 0, 1) == NULL);
    CHECK_STR(sim_graph_label(graph, 0, 4), "b");
    CHECK_I64(sim_graph_total_edges(graph), 4);
}

static void labels_are_not_numbers(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_graph) graph = read_text("num_ranks 1\nrank 0 {\n"
                                           "l1: calc 1\nl01: calc 2\nL1: calc 3\nl1_: calc 4\n"
                                           "L1 requires l1\nl1_ requires l01\n"
                                           "l4294967297: calc 5\nl4294967297 irequires l01\n}",
                                           true, &error);
    if (!CHECK(graph != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    uint32_t n;
    const uint32_t *next = sim_graph_finish_steps(graph, 0, 0, &n);
    CHECK(n == 1 && next[0] == 2);
    next = sim_graph_finish_steps(graph, 0, 1, &n);
    CHECK(n == 1 && 1 + next[0] == 3);
    next = sim_graph_start_steps(graph, 0, 1, &n);
    CHECK(n == 1 && 1 + next[0] == 4);
}

static void cycles_are_named(void)
{
    static const struct {
        const char *block;
        const char *wanted;
    } row[] = {
        {"a: calc 1\na requires a\n", "f:3: dependency cycle in rank 0: a (line 3) → a (line 3)"},
        {"l1: calc 1\nl2: calc 1\nl3: calc 1\nl3 requires l2\nl2 irequires l3\nl2 requires l1\n",
         "f:4: dependency cycle in rank 0: l2 (line 4) → l3 (line 5) → l2 (line 4)"},
        {"c: calc 1\nb: calc 2\na: calc 3\na requires b\nb requires c\nc requires a\n",
         "f:3: dependency cycle in rank 0: c (line 3) → a (line 5) → b (line 4) → c (line 3)"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *text = g_strconcat("num_ranks 1\nrank 0 {\n", row[i].block, "}\n", NULL);
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_graph) graph = read_text(text, false, &error);
        CHECK(graph == NULL);
        CHECK_ERROR(error, row[i].wanted);
        CHECK(g_error_matches(error, SCHED_ERROR, SCHED_ERROR_CYCLE), "row %zu", i);
    }
}

/* The same rank said as untidily as the union of dialects allows. */
static char *say_untidily(GRand *rand, const sim_graph *graph, uint32_t rank)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    const uint32_t n = sim_graph_num_ops(graph, rank);
    for (uint32_t i = 0; i < n; i++) {
        for (int kind = 0; kind < 2; kind++) {
            uint32_t k;
            const uint32_t *next = kind ? sim_graph_start_steps(graph, rank, i, &k)
                                        : sim_graph_finish_steps(graph, rank, i, &k);
            for (uint32_t s = 0; s < k; s++) {
                g_ptr_array_add(lines, g_strdup_printf("%sx%u %srequires%sx%u%s",
                                                       g_rand_boolean(rand) ? "\t" : "",
                                                       i + next[s], kind ? "i" : "",
                                                       g_rand_boolean(rand) ? " " : "/* */", i,
                                                       g_rand_boolean(rand) ? " // ?" : ""));
            }
        }
    }
    GString *text = g_string_new(NULL);
    guint said = 0; /* in the order of the lists; before, between or after the operations */
    for (uint32_t i = 0; i < n; i++) {
        while (said < lines->len && g_rand_int_range(rand, 0, 4) == 0) {
            g_string_append_printf(text, "%s\n", (char *)lines->pdata[said++]);
        }
        const sim_op op = sim_graph_op(graph, rank, i);
        const char *blank = g_rand_boolean(rand) ? "  " : "";
        g_string_append_printf(text, "%sx%u%s:%s", blank, i, blank, blank);
        if (op.type == SIM_OP_CALC) {
            g_string_append_printf(text, "calc%s%" PRId64 "cpu%s%u\r\n", blank, op.size / SIM_NS,
                                   blank, op.cpu);
            continue;
        }
        const bool send = op.type == SIM_OP_SEND;
        g_string_append_printf(text, "%s%s%" PRId64 "%sb%s%s%s", send ? "send" : "recv", blank,
                               op.size, blank, blank, send ? "to" : "from", blank);
        g_string_append_printf(text, op.peer == SIM_ANY ? "-1" : "%u", op.peer);
        g_string_append_printf(text, "%stag%s%" PRIu64, blank, blank,
                               op.tag + ((uint64_t)g_rand_int(rand) << 32));
        g_string_append_printf(text, "cpu %u %s nic%u /* \n */ // \n", op.cpu, blank, op.nic);
    }
    while (said < lines->len) {
        g_string_append_printf(text, "%s\n", (char *)lines->pdata[said++]);
    }
    return g_string_free(text, FALSE);
}

static void untidy_text_means_the_same(void)
{
    GRand *rand = g_rand_new_with_seed(SEED);
    for (int i = 0; i < 300; i++) {
        g_autoptr(sim_graph) graph = goal_random_graph(rand, 150);
        g_autoptr(GString) text = g_string_new("/* * / */ num_ranks 99 // many\n");
        const uint32_t n = sim_graph_num_ranks(graph);
        g_string_append_printf(text, "num_ranks %u", n);
        for (uint32_t r = 0; r < n; r++) {
            const uint32_t rank = (2 * n - r + 1) % n; /* not in order */
            g_autofree char *block = say_untidily(rand, graph, rank);
            g_string_append_printf(text, " rank %u{ %s } ", rank, block);
        }
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_graph) back = read_text(text->str, false, &error);
        if (!CHECK(back != NULL, "seed %d, schedule %d: %s\n%s", SEED, i,
                   error != NULL ? error->message : "", text->str)) {
            break;
        }
        CHECK(goal_same_graph(graph, back, true), "seed %d, schedule %d", SEED, i);
    }
    g_rand_free(rand);
}

static void other_files_are_not_taken_for_goal(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "x", NULL);
    static const struct {
        const char *text;
        bool goal;
    } row[] = {
        {"num_ranks 2", true},
        {"// x\n\n /* y */ num_ranks\t2", true},
        {"rank 0 {", true},
        {"ranking of hosts", false},
        {"# htor's liballprof", false},
        {"num_ranks", false},
        {"/* num_ranks 2", false},
        {"", false},
        {"\x7f\x10\0\0\0\0\0\0", false}, /* as a C string: cut short */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        CHECK(g_file_set_contents(path, row[i].text, -1, NULL));
        CHECK(sched_goal_probe(path) == row[i].goal, "row %zu", i);
    }
    (void)g_unlink(path);
    CHECK(!sched_goal_probe(path) && !sched_goal_probe(dir));
    g_autoptr(GError) error = NULL;
    CHECK(sched_goal_read(path, false, &error) == NULL);
    CHECK_ERROR(error, path);
    CHECK(g_error_matches(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE));
    g_clear_error(&error);
    CHECK(sched_goal_read(dir, false, &error) == NULL);
    CHECK_ERROR(error, dir);
    (void)g_rmdir(dir);
}

SUITE_MAIN("goal_text", TEST(every_form_of_an_operation_is_read),
           TEST(bad_statements_are_named_with_their_line), TEST(damaged_files_are_refused),
           TEST(strict_is_what_the_reference_takes), TEST(labels_belong_to_the_first_who_had_them),
           TEST(labels_are_not_numbers), TEST(cycles_are_named), TEST(untidy_text_means_the_same),
           TEST(other_files_are_not_taken_for_goal))
