/* tests/sim/graph/test_graph_spool.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of the native form that are written rank by rank. */
#include "check.h"
#include "graph_forms.h"
#include "random_program.h"
#include "sim/graph_file.h"

#include <glib/gstdio.h>
#include <string.h>

#define SEED 20101118

/* The graph once more, rank by rank; those that are empty are not begun. */
static void build_again(const sim_graph *graph, sim_graph_builder *b)
{
    for (uint32_t r = 0; r < sim_graph_num_ranks(graph); r++) {
        graph_forms_add(b, graph, r);
    }
}

static void check_same_bytes(const char *path, const char *other)
{
    g_autofree char *x = NULL;
    g_autofree char *y = NULL;
    gsize n = 0;
    gsize m = 0;
    CHECK(g_file_get_contents(path, &x, &n, NULL) && g_file_get_contents(other, &y, &m, NULL));
    CHECK(x != NULL && y != NULL && n == m && memcmp(x, y, n) == 0, "%s: %zu and %zu bytes", other,
          n, m);
}

/* What is written rank by rank is what is saved of the same graph where it is kept. */
static void check_stream(const sim_graph *graph, const char *folder)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = g_build_filename(folder, "stored.rpl", NULL);
    g_autofree char *streamed = g_build_filename(folder, "streamed.rpl", NULL);
    sim_graph_builder *kept = sim_graph_builder_new(sim_graph_num_ranks(graph));
    sim_graph_builder *written =
        sim_graph_builder_new_file(sim_graph_num_ranks(graph), streamed, &error);
    g_assert_no_error(error);
    build_again(graph, kept);
    build_again(graph, written);
    g_autoptr(sim_graph) same = sim_graph_builder_finish(kept, &error);
    CHECK(same != NULL && sim_graph_save(same, path, &error));
    CHECK(sim_graph_builder_save(written, &error));
    check_same_bytes(path, streamed);
    (void)g_unlink(path);
    (void)g_unlink(streamed);
}

static void files_are_those_of_stored_graphs_in_every_form(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
    g_autofree char *folder = g_dir_make_tmp("ripple-graph-spool-XXXXXX", NULL);
    for (int round = 0; round < 12; round++) {
        g_autoptr(sim_graph) plain = random_program(random, &RANDOM_STORED);
        check_stream(plain, folder);
        for (graph_forms form = FORM_NARROW; form < NUM_FORMS; form++) {
            g_autoptr(sim_graph) g = graph_forms_copy(plain, form);
            check_stream(g, folder);
        }
    }
    CHECK(g_rmdir(folder) == 0);
}

/* Some ranks are empty, the first one, too; every third operation has a name. */
static void files_have_names_and_empty_ranks(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-graph-spool-XXXXXX", NULL);
    sim_graph_builder *b = sim_graph_builder_new(6);
    for (uint32_t rank = 1; rank < 6; rank += 2) {
        sim_graph_builder_begin_rank(b, rank);
        for (uint32_t i = 0; i < 10 * rank; i++) {
            const sim_op op = {.type = SIM_OP_CALC, .size = (int64_t)i << 40};
            (void)sim_graph_builder_add(b, &op);
            g_autofree char *label = g_strdup_printf("r%u_%u", rank, i);
            if (i % 3 == 0) {
                sim_graph_builder_label(b, label);
            }
        }
    }
    g_autoptr(sim_graph) named = sim_graph_builder_finish(b, NULL);
    CHECK_STR(sim_graph_label(named, 3, 6), "r3_6");
    check_stream(named, folder);
    g_autoptr(sim_graph) empty = sim_graph_builder_finish(sim_graph_builder_new(3), NULL);
    check_stream(empty, folder);
    g_autoptr(sim_graph) nothing = sim_graph_builder_finish(sim_graph_builder_new(0), NULL);
    check_stream(nothing, folder);
    CHECK(g_rmdir(folder) == 0);
}

/* Names in @p folder; what else is there is left behind. */
static guint count_files(const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    guint n = 0;
    while (dir != NULL && g_dir_read_name(dir) != NULL) {
        n++;
    }
    return n;
}

static sim_graph_builder *begin_file(const char *path, GError **error)
{
    sim_graph_builder *b = sim_graph_builder_new_file(2, path, error);
    const sim_op op = {.type = SIM_OP_CALC, .size = 1};
    if (b != NULL) {
        sim_graph_builder_begin_rank(b, 0);
        (void)sim_graph_builder_add(b, &op);
    }
    return b;
}

static void what_is_not_written_to_its_end_is_not_there(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("ripple-graph-file-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "x.rpl", NULL);
    sim_graph_builder_free(begin_file(path, &error));
    CHECK_I64(count_files(folder), 0, "given up");
    sim_graph_builder *b = begin_file(path, &error);
    const sim_op wrong = {.type = SIM_OP_SEND, .peer = 7};
    (void)sim_graph_builder_add(b, &wrong);
    CHECK(!sim_graph_builder_end_rank(b));
    CHECK(!sim_graph_builder_save(b, &error));
    CHECK_ERROR(error, "rank 0, l2: peer 7 is not a rank (there are 2)");
    CHECK_I64(count_files(folder), 0, "it cannot be a program");
    g_clear_error(&error);
    CHECK(begin_file("/nonexistent/x.rpl", &error) == NULL);
    CHECK_ERROR(error, "/nonexistent");
    g_clear_error(&error);
    if (g_file_test("/dev/full", G_FILE_TEST_EXISTS)) {
        CHECK(!sim_graph_builder_save(begin_file("/dev/full", &error), &error));
        CHECK_ERROR(error, "/dev/full");
    }
    CHECK(g_rmdir(folder) == 0);
}

SUITE_MAIN("graph_spool", TEST(files_are_those_of_stored_graphs_in_every_form),
           TEST(files_have_names_and_empty_ranks),
           TEST(what_is_not_written_to_its_end_is_not_there))
