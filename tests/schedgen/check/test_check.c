/* tests/schedgen/check/test_check.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "data.h"
#include "sched/check.h"
#include "sched/goal.h"
#include "sim/run.h"

#include <glib/gstdio.h>
#include <igraph/igraph.h>

#define SEED 20101113

static const sim_params PARAMS = {.L = 5 * SIM_US,
                                  .o = 2 * SIM_US,
                                  .g = 0,
                                  .G = 3 * SIM_RATE_PER_PS * 1000, /* 3 ns/B */
                                  .O = 1 * SIM_RATE_PER_PS * 1000,
                                  .S = INT64_MAX};

static sim_graph *read_text(const char *text)
{
    g_autoptr(GError) error = NULL;
    sim_graph *graph = sched_goal_read_data("f", text, strlen(text), false, &error);
    CHECK(graph != NULL, "%s", error != NULL ? error->message : "");
    return graph;
}

static void a_ping_pong_is_as_long_as_by_hand(void)
{
    g_autoptr(sim_graph) graph = read_text("num_ranks 2\n"
                                           "rank 0 {\nl1: send 11b to 1 tag 5\n"
                                           "l2: recv 1b from 1 tag 6\nl2 requires l1\n}\n"
                                           "rank 1 {\nl1: recv 11b from 0 tag 5\n"
                                           "l2: calc 100\nl2 requires l1\n"
                                           "l3: send 1b to 0 tag 6\nl3 requires l2\n}\n");
    sched_check_report report = {0};
    CHECK(sched_check(graph, &PARAMS, &report, NULL));
    /* There: o + L + 10 (G - O) + o + 10 O = 9.03 us; 0.1 us; back: o + L + o = 9 us. */
    CHECK_I64(report.longest_path, 18130 * SIM_NS);
    CHECK_I64(report.vertices, 5);
    CHECK_I64(report.edges, 3 + 2);
    CHECK_I64(report.messages, 2);
    CHECK_I64(report.unmatched_sends + report.unmatched_recvs + (int64_t)report.wildcards, 0);
    CHECK(report.first_unmatched == NULL);
    sched_check_report_clear(&report);
}

/* An operation of the program below, in an order in which everything could happen. */
typedef struct happening {
    uint32_t rank;
    uint32_t index;
} happening;

/*
 * A random program in which nothing ever contends: every operation has a CPU, every message a NIC
 * and a tag of its own. What happens later may depend on anything that happened before.
 */
static sim_graph *random_free_program(GRand *rand)
{
    enum { MAX_HAPPENINGS = 125 }; /* and as many receives at the end: 250 CPUs */
    static sim_op op[MAX_HAPPENINGS];
    static happening at[MAX_HAPPENINGS];
    const uint32_t num_ranks = (uint32_t)g_rand_int_range(rand, 1, 8);
    const int n = g_rand_int_range(rand, 1, MAX_HAPPENINGS);
    g_autoptr(GArray) flying = g_array_new(FALSE, FALSE, sizeof(sim_op)); /* receives to come */
    g_autofree uint32_t *count = g_new0(uint32_t, num_ranks);
    uint32_t tag = 0;
    for (int i = 0; i < n; i++) {
        at[i].rank = (uint32_t)g_rand_int_range(rand, 0, (gint32)num_ranks);
        op[i] = (sim_op){.type = SIM_OP_CALC, .size = g_rand_int_range(rand, 0, 20000000)};
        const int choice = g_rand_int_range(rand, 0, 3);
        if (choice == SIM_OP_SEND && tag < MAX_HAPPENINGS) {
            const uint32_t to = (uint32_t)g_rand_int_range(rand, 0, (gint32)num_ranks);
            op[i] = (sim_op){.type = SIM_OP_SEND,
                             .size = g_rand_int_range(rand, 0, 5000),
                             .peer = to,
                             .tag = tag,
                             .nic = (uint8_t)tag};
            sim_op recv = op[i];
            recv.type = SIM_OP_RECV;
            recv.peer = at[i].rank;
            recv.comm = to; /* lent as a place for the rank that receives */
            g_array_append_val(flying, recv);
            tag++;
        } else if (choice == SIM_OP_RECV && flying->len > 0) {
            const guint which = (guint)g_rand_int_range(rand, 0, (gint32)flying->len);
            op[i] = g_array_index(flying, sim_op, which);
            at[i].rank = op[i].comm;
            op[i].comm = 0;
            g_array_remove_index_fast(flying, which);
        }
        at[i].index = count[at[i].rank]++;
        op[i].cpu = (uint8_t)at[i].index;
    }
    sim_graph_builder *builder = sim_graph_builder_new(num_ranks);
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        sim_graph_builder_begin_rank(builder, rank);
        for (int i = 0; i < n; i++) {
            if (at[i].rank != rank) {
                continue;
            }
            (void)sim_graph_builder_add(builder, &op[i]);
            for (int k = at[i].index > 0 ? g_rand_int_range(rand, 0, 4) : 0; k > 0; k--) {
                const uint32_t earlier = (uint32_t)g_rand_int_range(rand, 0, (gint32)at[i].index);
                if (g_rand_boolean(rand)) {
                    sim_graph_builder_require(builder, at[i].index, earlier);
                } else {
                    sim_graph_builder_irequire(builder, at[i].index, earlier);
                }
            }
        }
        for (guint k = 0; k < flying->len; k++) { /* nothing is left over */
            sim_op recv = g_array_index(flying, sim_op, k);
            if (recv.comm == rank) {
                recv.comm = 0;
                recv.cpu = (uint8_t)count[rank]++;
                (void)sim_graph_builder_add(builder, &recv);
            }
        }
    }
    return sim_graph_builder_finish(builder, NULL);
}

/* docs/model.md, section 6.4: the longest path is the contention-free run. */
static void the_longest_path_is_the_run_without_contention(void)
{
    GRand *rand = g_rand_new_with_seed(SEED);
    unsigned compared = 0;
    for (int i = 0; i < 400; i++) {
        sim_params params = PARAMS;
        params.L = g_rand_int_range(rand, 0, 10000000);
        params.o = g_rand_int_range(rand, 0, 3000000);
        params.G = g_rand_int(rand);
        params.O = g_rand_int(rand);
        g_autoptr(sim_graph) graph = random_free_program(rand);
        g_autoptr(GError) error = NULL;
        sched_check_report report = {0};
        if (!CHECK(sched_check(graph, &params, &report, &error), "seed %d, program %d: %s", SEED, i,
                   error != NULL ? error->message : "")) {
            break;
        }
        CHECK_I64(report.unmatched_sends + report.unmatched_recvs, 0);
        g_autoptr(sim_result) result = sim_run(sim_graph_program(graph), &params, NULL, &error);
        if (!CHECK(result != NULL, "seed %d, program %d: %s", SEED, i,
                   error != NULL ? error->message : "")) {
            sched_check_report_clear(&report);
            break;
        }
        CHECK_I64(report.longest_path, result->makespan, "seed %d, program %d", SEED, i);
        compared += report.messages > 0;
        sched_check_report_clear(&report);
    }
    CHECK(compared > 300, "%u of them have messages", compared);
    g_rand_free(rand);
}

/* A token that goes round at random, with work on the way: one CPU and one NIC are enough. */
static void one_message_at_a_time_needs_no_spare_parts(void)
{
    GRand *rand = g_rand_new_with_seed(SEED);
    for (int i = 0; i < 100; i++) {
        enum { RANKS = 5 };
        g_autoptr(GPtrArray) block = g_ptr_array_new();
        uint32_t last[RANKS] = {0};
        for (int r = 0; r < RANKS; r++) {
            g_ptr_array_add(block, g_string_new(NULL));
        }
        gint32 holder = 0;
        for (int step = 0; step < 60; step++) {
            const gint32 next = (holder + g_rand_int_range(rand, 1, RANKS)) % RANKS;
            const int size = g_rand_int_range(rand, 0, 3000);
            const struct {
                gint32 rank;
                char *op;
            } said[] = {
                {holder, g_strdup_printf("calc %d", g_rand_int_range(rand, 0, 5000))},
                {holder, g_strdup_printf("send %db to %d", size, next)},
                {next, g_strdup_printf("recv %db from %d", size, holder)},
            };
            for (size_t k = 0; k < G_N_ELEMENTS(said); k++) {
                const uint32_t n = ++last[said[k].rank];
                GString *text = g_ptr_array_index(block, said[k].rank);
                g_string_append_printf(text, "l%u: %s\n", n, said[k].op);
                if (n > 1) {
                    g_string_append_printf(text, "l%u requires l%u\n", n, n - 1);
                }
                g_free(said[k].op);
            }
            holder = next;
        }
        g_autoptr(GString) all = g_string_new("num_ranks 5\n");
        for (int r = 0; r < RANKS; r++) {
            GString *text = g_ptr_array_index(block, r);
            g_string_append_printf(all, "rank %d {\n%s}\n", r, text->str);
            (void)g_string_free(text, TRUE);
        }
        g_autoptr(sim_graph) graph = read_text(all->str);
        sched_check_report report = {0};
        CHECK(sched_check(graph, &PARAMS, &report, NULL));
        g_autoptr(sim_result) result = sim_run(sim_graph_program(graph), &PARAMS, NULL, NULL);
        CHECK(result != NULL);
        CHECK_I64(report.longest_path, result->makespan, "seed %d, program %d", SEED, i);
        sched_check_report_clear(&report);
    }
    g_rand_free(rand);
}

static void a_cycle_across_ranks_is_named(void)
{
    /* Both wait for the other's word before they speak. */
    g_autoptr(sim_graph) graph = read_text("num_ranks 3\nrank 0 {\ncalc 1\n}\n"
                                           "rank 1 {\nhear: recv 1b from 2\nl2: calc 4\n"
                                           "say: send 1b to 2\nsay requires hear\n}\n"
                                           "rank 2 {\nl1: recv 1b from 1\n"
                                           "l2: send 1b to 1\nl2 requires l1\n}\n");
    g_autoptr(GError) error = NULL;
    sched_check_report report = {0};
    CHECK(!sched_check(graph, &PARAMS, &report, &error));
    CHECK_ERROR(error, "rank 1 hear → rank 2 l2 → rank 2 l1 → rank 1 say → rank 1 hear");
    CHECK(g_error_matches(error, SCHED_ERROR, SCHED_ERROR_CYCLE));
    CHECK_I64(report.vertices, 0, "untouched");
}

/* What irequires a receive goes on when it is posted, not when the message is there. */
static void receives_posted_ahead_are_no_cycle(void)
{
    g_autoptr(GString) text = g_string_new("num_ranks 2\n");
    for (int rank = 0; rank < 2; rank++) {
        g_string_append_printf(text, "rank %d {\n", rank);
        g_string_append_printf(text,
                               "l1: recv 1b from %d\nl2: send 1b to %d\nl2 irequires l1\n"
                               "l3: calc 0\nl3 requires l1\nl3 requires l2\n",
                               1 - rank, 1 - rank);
        g_string_append(text, "}\n");
    }
    g_autoptr(sim_graph) graph = read_text(text->str);
    g_autoptr(GError) error = NULL;
    sched_check_report report = {0};
    CHECK(sched_check(graph, &PARAMS, &report, &error), "%s", error ? error->message : "");
    CHECK_I64(report.edges, 2 * 3 + 2);
    CHECK_I64(report.vertices, 6);
    CHECK_I64(report.longest_path, 2 * PARAMS.o + PARAMS.L);
    sched_check_report_clear(&report);
}

static void a_posting_in_a_cycle_is_named_once(void)
{
    /* l1 is posted when l3 is done, which waits for l2, which waits for l1 to be posted. */
    sim_graph_builder *builder = sim_graph_builder_new(1);
    sim_graph_builder_begin_rank(builder, 0);
    static const sim_op ops[] = {{.type = SIM_OP_RECV}, {.type = SIM_OP_SEND}, {.size = 1}};
    for (size_t i = 0; i < G_N_ELEMENTS(ops); i++) {
        (void)sim_graph_builder_add(builder, &ops[i]);
    }
    sim_graph_builder_irequire(builder, 1, 0);
    sim_graph_builder_require(builder, 2, 1);
    sim_graph_builder_require(builder, 0, 2);
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(builder, NULL);
    g_autoptr(GError) error = NULL;
    sched_check_report report = {0};
    CHECK(!sched_check(graph, &PARAMS, &report, &error));
    CHECK_ERROR(error, "rank 0 l2 → rank 0 l1 → rank 0 l3 → rank 0 l2");
}

static void what_nothing_meets_is_counted(void)
{
    static const struct {
        const char *rank0, *rank1; /* of three; rank 2 sends two bytes of tag 3 to rank 0 */
        int64_t messages, sends, recvs, wildcards;
        const char *first;
    } row[] = {
        {"recv 2b from 2 tag 3", "calc 1", 1, 0, 0, 0, NULL},
        {"calc 1", "calc 1", 0, 1, 0, 0,
         "rank 2 l1 sends 2 bytes to rank 0 (tag 3, communicator 0), which nobody receives"},
        {"recv 2b from -1 tag 3", "calc 1", 0, 0, 0, 1, NULL},
        {"recv 2b from 2 tag -1", "calc 1", 0, 0, 0, 1, NULL},
        {"recv 2b from -1 tag 4", "calc 1", 0, 1, 1, 1,
         "rank 0 l1 receives 2 bytes from any rank (tag 4, communicator 0), which nobody sends"},
        {"recv 2b from 2 tag 3\nrecv 2b from -1 tag 3", "send 1b to 0 tag 3", 1, 0, 0, 1, NULL},
        {"recv 2b from -1 tag -1\nrecv 2b from -1 tag -1", "send 1b to 0 tag 9", 0, 0, 0, 2, NULL},
        {"recv 2b from 2 tag 3\na: recv 2b from 2 tag 3", "calc 1", 1, 0, 1, 0,
         "rank 0 a receives"},
        {"recv 2b from 2 tag 3", "send 1b to 0 tag 3\nsend 1b to 1\nrecv 1b from 1", 2, 1, 0, 0,
         "rank 1 l1 sends 1 bytes to rank 0 (tag 3"},
        {"recv 2b from 2 tag 3\nrecv 1b from 1 tag 8", "send 1b to 0 tag -1", 1, 0, 0, 1, NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *text = g_strdup_printf("num_ranks 3\nrank 0 {\n%s\n}\nrank 1 {\n%s\n}\n"
                                                "rank 2 {\nsend 2b to 0 tag 3\n}\n",
                                                row[i].rank0, row[i].rank1);
        g_autoptr(sim_graph) graph = read_text(text);
        sched_check_report report = {0};
        CHECK(sched_check(graph, &PARAMS, &report, NULL), "row %zu", i);
        CHECK_I64(report.messages, row[i].messages, "row %zu", i);
        CHECK_I64(report.unmatched_sends, row[i].sends, "row %zu", i);
        CHECK_I64(report.unmatched_recvs, row[i].recvs, "row %zu", i);
        CHECK_I64(report.wildcards, row[i].wildcards, "row %zu", i);
        CHECK((report.first_unmatched == NULL) == (row[i].first == NULL) &&
                  (row[i].first == NULL || g_str_has_prefix(report.first_unmatched, row[i].first)),
              "row %zu: %s", i, report.first_unmatched);
        sched_check_report_clear(&report);
    }
}

static void communicators_and_tags_are_kept_apart(void)
{
    /* communicator and tag, in the order of the operations */
    static const uint32_t sent[][2] = {{3, 1}, {4, 1}, {3, 1}, {4, 2}};
    static const uint32_t received[][2] = {{3, 1}, {3, 1}, {4, 2}, {5, 1}};
    sim_graph_builder *builder = sim_graph_builder_new(2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        sim_graph_builder_begin_rank(builder, rank);
        for (size_t i = 0; i < G_N_ELEMENTS(sent); i++) {
            const uint32_t *pair = rank == 0 ? sent[i] : received[i];
            const sim_op op = {.type = rank == 0 ? SIM_OP_SEND : SIM_OP_RECV,
                               .peer = 1 - rank,
                               .comm = pair[0],
                               .tag = pair[1]};
            (void)sim_graph_builder_add(builder, &op);
        }
    }
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(builder, NULL);
    sched_check_report report = {0};
    CHECK(sched_check(graph, &PARAMS, &report, NULL));
    CHECK_I64(report.messages, 3);
    CHECK_I64(report.unmatched_sends, 1);
    CHECK_I64(report.unmatched_recvs, 1);
    CHECK_STR(report.first_unmatched, "rank 0 l2 sends 0 bytes to rank 1 (tag 1, communicator 4), "
                                      "which nobody receives");
    sched_check_report_clear(&report);
}

static void every_vector_is_sound(void)
{
    g_autofree char *folder = test_data("vectors");
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    unsigned n = 0;
    while ((name = g_dir_read_name(dir)) != NULL) {
        if (!g_str_has_suffix(name, ".goal")) {
            continue;
        }
        n++;
        g_autofree char *path = g_build_filename(folder, name, NULL);
        g_autoptr(sim_graph) graph = sched_goal_read(path, false, NULL);
        g_autoptr(GError) error = NULL;
        sched_check_report report = {0};
        CHECK(sched_check(graph, &PARAMS, &report, &error), "%s: %s", name,
              error != NULL ? error->message : "");
        CHECK(report.first_unmatched == NULL, "%s: %s", name, report.first_unmatched);
        sched_check_report_clear(&report);
    }
    CHECK_I64(n, 295);
}

static const char SMALL[] = "num_ranks 2\nrank 0 {\nfirst: send 11b to 1\nl2: calc 5\n"
                            "l2 irequires first\n}\nrank 1 {\nl1: recv 11b from 0\n}\n";

static unsigned count_of(const char *text, const char *what)
{
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++) {
        n++;
    }
    return n;
}

/* Written to a folder of its own, in which nothing else may be left. */
static char *export_text(const sim_graph *graph, sched_export_format format, bool lint)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "graph", NULL);
    g_autoptr(GError) error = NULL;
    char *text = NULL;
    CHECK(sched_export(graph, format, path, &error), "%s", error != NULL ? error->message : "");
    CHECK(g_file_get_contents(path, &text, NULL, NULL));
    g_autofree char *xmllint = g_find_program_in_path("xmllint");
    if (lint && xmllint != NULL) {
        const char *argv[] = {xmllint, "--noout", path, NULL};
        int status = -1;
        CHECK(g_spawn_sync(NULL, (char **)(void *)argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL,
                           NULL, &status, NULL) &&
                  status == 0,
              "%s", text);
    }
    (void)g_unlink(path);
    CHECK(g_rmdir(dir) == 0, "nothing else is left there");
    return text;
}

static void exported_graphs_say_everything(void)
{
    g_autoptr(sim_graph) graph = read_text(SMALL);
    g_autofree char *xml = export_text(graph, SCHED_EXPORT_GRAPHML, true);
    CHECK_I64(count_of(xml, "<node "), 3);
    CHECK_I64(count_of(xml, "<edge "), 2);
    static const char *const in_xml[] = {">first<", ">l2<", ">send<", ">recv<",      ">calc<",
                                         ">11<",    ">1<",  ">5000<", ">irequires<", ">message<"};
    for (size_t i = 0; i < G_N_ELEMENTS(in_xml); i++) {
        CHECK(strstr(xml, in_xml[i]) != NULL, "%s in %s", in_xml[i], xml);
    }
    g_autofree char *dot = export_text(graph, SCHED_EXPORT_DOT, false);
    CHECK(g_str_has_prefix(strstr(dot, "digraph"), "digraph"), "%s", dot);
    static const char *const in_dot[] = {"label=first",    "type=recv", "size=5000", "rank=1",
                                         "kind=irequires", "0 -> 1",    "0 -> 2"};
    for (size_t i = 0; i < G_N_ELEMENTS(in_dot); i++) {
        CHECK(strstr(dot, in_dot[i]) != NULL, "%s in %s", in_dot[i], dot);
    }
}

static void odd_labels_do_not_break_an_export(void)
{
    sim_graph_builder *builder = sim_graph_builder_new(1);
    sim_graph_builder_begin_rank(builder, 0);
    const sim_op op = {.type = SIM_OP_CALC, .size = 1};
    (void)sim_graph_builder_add(builder, &op);
    sim_graph_builder_label(builder, "a<b>&\"c' \\ \u00e4");
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(builder, NULL);
    g_autofree char *xml = export_text(graph, SCHED_EXPORT_GRAPHML, true);
    CHECK(strstr(xml, "a&lt;b&gt;&amp;") != NULL, "%s", xml);
    g_autofree char *dot = export_text(graph, SCHED_EXPORT_DOT, false);
    CHECK(strstr(dot, "\\\"c") != NULL, "%s", dot);
}

static void a_failed_export_is_an_error(void)
{
    g_autoptr(sim_graph) graph = read_text(SMALL);
    g_autoptr(GError) error = NULL;
    CHECK(!sched_export(graph, SCHED_EXPORT_DOT, "/no/such/folder/graph", &error));
    CHECK_ERROR(error, "/no/such/folder/graph");
    if (!g_file_test("/dev/full", G_FILE_TEST_EXISTS)) {
        SKIP_TEST("there is no /dev/full");
    }
    for (int format = 0; format < 2; format++) {
        g_clear_error(&error);
        CHECK(!sched_export(graph, (sched_export_format)format, "/dev/full", &error));
        CHECK_ERROR(error, "/dev/full");
    }
}

static void quiet(const char *reason, const char *file, int line, igraph_error_t code)
{
    (void)reason;
    (void)file;
    (void)line;
    (void)code;
}

static void handlers_of_igraph_are_put_back(void)
{
    igraph_error_handler_t *old = igraph_set_error_handler(quiet);
    g_autoptr(sim_graph) graph = read_text(SMALL);
    sched_check_report report = {0};
    CHECK(sched_check(graph, &PARAMS, &report, NULL));
    sched_check_report_clear(&report);
    CHECK(igraph_set_error_handler(old) == quiet);
}

static void an_empty_schedule_is_sound(void)
{
    g_autoptr(sim_graph) graph = read_text("num_ranks 3\n");
    sched_check_report report = {0};
    CHECK(sched_check(graph, &PARAMS, &report, NULL));
    CHECK_I64(report.vertices + report.edges + (uint64_t)report.longest_path, 0);
    sched_check_report_clear(&report);
    g_autofree char *xml = export_text(graph, SCHED_EXPORT_GRAPHML, true);
    CHECK_I64(count_of(xml, "<node "), 0);
}

SUITE_MAIN("check", TEST(a_ping_pong_is_as_long_as_by_hand),
           TEST(the_longest_path_is_the_run_without_contention),
           TEST(one_message_at_a_time_needs_no_spare_parts), TEST(a_cycle_across_ranks_is_named),
           TEST(receives_posted_ahead_are_no_cycle), TEST(a_posting_in_a_cycle_is_named_once),
           TEST(what_nothing_meets_is_counted), TEST(communicators_and_tags_are_kept_apart),
           TEST(every_vector_is_sound), TEST(exported_graphs_say_everything),
           TEST(odd_labels_do_not_break_an_export), TEST(a_failed_export_is_an_error),
           TEST(handlers_of_igraph_are_put_back), TEST(an_empty_schedule_is_sound))
