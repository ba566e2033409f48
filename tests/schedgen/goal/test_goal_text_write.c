/* tests/schedgen/goal/test_goal_text_write.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What is written as GOAL text, and that reading it gives the same schedule. */
#include "check.h"
#include "data.h"
#include "goal_random.h"
#include "sched/goal.h"

#include <glib/gstdio.h>

#define SEED 20101113

static sim_graph *read_text(const char *text, bool strict, GError **error)
{
    return sched_goal_read_data("f", text, strlen(text), strict, error);
}

static char *write_text(const sim_graph *graph)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "x.goal", NULL);
    g_autoptr(GError) error = NULL;
    char *text = NULL;
    CHECK(sched_goal_write_text(graph, path, &error), "%s", error != NULL ? error->message : "");
    CHECK(g_file_get_contents(path, &text, NULL, NULL) && sched_goal_probe(path));
    (void)g_unlink(path);
    CHECK(g_rmdir(dir) == 0, "nothing else is left there");
    return text;
}

static void output_is_canonical(void)
{
    /* docs/goal.md, section 4: the ping-pong, and the idiom of an edge to a later operation. */
    g_autoptr(sim_graph) graph = read_text("num_ranks 3\n"
                                           "rank 1{\nr: recv 8b from 0 tag 5\n"
                                           "c: calc 1000 cpu 0\nc requires r\n"
                                           "s: send 8b to 0 tag 6 nic 1\ns requires c\n}\n"
                                           "rank 0{\nsend 8b to 1 tag 5 cpu 2 nic 3\n"
                                           "l2: recv 8b from -1 tag -1\nl2 requires l3\n"
                                           "l3: calc 0\nl3 irequires l4\nl4: calc 7\n}\n",
                                           false, NULL);
    g_autofree char *text = write_text(graph);
    CHECK_STR(text, "num_ranks 3\n"
                    "\n"
                    "rank 0 {\n"
                    "l1: send 8b to 1 tag 5 cpu 2 nic 3\n"
                    "l2: recv 8b from -1 tag -1\n"
                    "l3: calc 0\n"
                    "l2 requires l3\n"
                    "l4: calc 7\n"
                    "l3 irequires l4\n"
                    "}\n"
                    "\n"
                    "rank 1 {\n"
                    "l1: recv 8b from 0 tag 5\n"
                    "l2: calc 1000\n"
                    "l2 requires l1\n"
                    "l3: send 8b to 0 tag 6 nic 1\n"
                    "l3 requires l2\n"
                    "}\n"
                    "\n"
                    "rank 2 {\n"
                    "}\n");
}

static void durations_are_rounded_to_nanoseconds(void)
{
    sim_graph_builder *builder = sim_graph_builder_new(1);
    sim_graph_builder_begin_rank(builder, 0);
    static const sim_time ps[] = {499, 500, 1499, SIM_TIME_MAX};
    for (size_t i = 0; i < G_N_ELEMENTS(ps); i++) {
        const sim_op op = {.type = SIM_OP_CALC, .size = ps[i]};
        (void)sim_graph_builder_add(builder, &op);
    }
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(builder, NULL);
    g_autofree char *text = write_text(graph);
    CHECK_STR(text, "num_ranks 1\n\nrank 0 {\nl1: calc 0\nl2: calc 1\nl3: calc 1\n"
                    "l4: calc 2305843009213693\n}\n");
}

static void random_schedules_survive(void)
{
    GRand *rand = g_rand_new_with_seed(SEED);
    for (int i = 0; i < 300; i++) {
        g_autoptr(sim_graph) graph = goal_random_graph(rand, 40);
        g_autofree char *text = write_text(graph);
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_graph) back = read_text(text, true, &error);
        if (!CHECK(back != NULL, "seed %d, schedule %d: %s", SEED, i,
                   error != NULL ? error->message : "")) {
            break;
        }
        CHECK(goal_same_graph(graph, back, false), "seed %d, schedule %d", SEED, i);
        g_autofree char *again = write_text(back);
        CHECK_STR(again, text, "seed %d, schedule %d", SEED, i);
    }
    g_rand_free(rand);
}

/* One send to rank 1 per (comm, tag). */
static sim_graph *with_comms(const uint32_t (*pair)[2], size_t n, const sim_op *extra)
{
    sim_graph_builder *builder = sim_graph_builder_new(3);
    sim_graph_builder_begin_rank(builder, 0);
    for (size_t i = 0; i < n; i++) {
        const sim_op op = {
            .type = SIM_OP_SEND, .size = 1, .peer = 1, .comm = pair[i][0], .tag = pair[i][1]};
        (void)sim_graph_builder_add(builder, &op);
    }
    sim_graph_builder_begin_rank(builder, 1);
    if (extra != NULL) {
        (void)sim_graph_builder_add(builder, extra);
    }
    return sim_graph_builder_finish(builder, NULL);
}

static void communicators_become_tags_of_their_own(void)
{
    static const uint32_t pair[][2] = {{2, 7}, {1, 7}, {0, 7}, {1, 0}, {0, 0}, {1, 9}, {2, 7}};
    /* In order of (comm, tag): (0,0) and (0,7) stay; (1,0) -> 1, (1,7) -> 2, (1,9) stays,
     * (2,7) -> 3. */
    static const uint32_t tag[] = {3, 2, 7, 1, 0, 9, 3};
    g_autoptr(sim_graph) graph = with_comms(pair, G_N_ELEMENTS(pair), NULL);
    g_autofree char *text = write_text(graph);
    g_autoptr(sim_graph) back = read_text(text, true, NULL);
    for (uint32_t i = 0; i < G_N_ELEMENTS(pair); i++) {
        CHECK_I64(sim_graph_op(back, 0, i).tag, tag[i], "operation %u", i);
        CHECK_I64(sim_graph_op(back, 0, i).comm, 0);
    }
}

/* @return how many files were read */
static unsigned check_folder(const char *folder)
{
    g_autoptr(GDir) dir = folder != NULL ? g_dir_open(folder, 0, NULL) : NULL;
    const char *name;
    unsigned n = 0;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        if (!g_str_has_suffix(name, ".goal")) {
            continue;
        }
        g_autofree char *path = g_build_filename(folder, name, NULL);
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_graph) graph = sched_goal_read(path, false, &error);
        if (CHECK(graph != NULL, "%s", error != NULL ? error->message : "")) {
            g_autofree char *text = write_text(graph);
            g_autoptr(sim_graph) back = read_text(text, true, &error);
            CHECK(back != NULL && goal_same_graph(graph, back, false), "%s", name);
            g_autofree char *again = write_text(back);
            CHECK_STR(again, text, "%s", name);
            CHECK(sched_goal_probe(path), "%s", name);
        }
        n++;
    }
    return n;
}

static void every_vector_is_read_and_written(void)
{
    g_autofree char *folder = test_data("vectors");
    CHECK_I64(check_folder(folder), 295);
}

static void schedules_of_other_generators_are_read_and_written(void)
{
    g_autofree char *folder = shared_data("traces/goal/LogGOPSim");
    g_autofree char *deeper = shared_data("traces/goal/LogGOPSim/src/LogGOPSim");
    if (folder == NULL || deeper == NULL) {
        SKIP_TEST("there are no reference data");
    }
    CHECK(check_folder(folder) > 0 && check_folder(deeper) > 0);
}

static void a_failed_write_is_an_error(void)
{
    GRand *rand = g_rand_new_with_seed(SEED);
    g_autoptr(sim_graph) graph = goal_random_graph(rand, 40);
    g_rand_free(rand);
    g_autoptr(GError) error = NULL;
    CHECK(!sched_goal_write_text(graph, "/no/such/folder/x.goal", &error));
    CHECK_ERROR(error, "/no/such/folder/x.goal");
    if (!g_file_test("/dev/full", G_FILE_TEST_EXISTS)) {
        SKIP_TEST("there is no /dev/full");
    }
    g_clear_error(&error);
    CHECK(!sched_goal_write_text(graph, "/dev/full", &error));
    CHECK_ERROR(error, "/dev/full");
}

SUITE_MAIN("goal_text_write", TEST(output_is_canonical), TEST(durations_are_rounded_to_nanoseconds),
           TEST(random_schedules_survive), TEST(communicators_become_tags_of_their_own),
           TEST(every_vector_is_read_and_written),
           TEST(schedules_of_other_generators_are_read_and_written),
           TEST(a_failed_write_is_an_error))
