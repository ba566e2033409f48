/* tests/schedgen/model/test_rank_source.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "goal_random.h"
#include "sched/error.h"
#include "sched/goal.h"

#include <glib/gstdio.h>

#define SEED 20260731

static char *temporary(void)
{
    char *path = NULL;
    const int fd = g_file_open_tmp("ripple-rank-source-XXXXXX", &path, NULL);
    g_close(fd, NULL);
    return path;
}

/* A graph whose edges come as by somebody who follows the program: any order of operations. */
typedef struct shuffled {
    sched_rank_source source;
    sched_graph_source graph;
    GArray *edges;
    uint32_t fails_at; /* rank */
    uint32_t passes_before;
} shuffled;

static bool get_shuffled(sched_rank_source *source, uint32_t rank, sched_rank_ops *out,
                         GError **error)
{
    shuffled *s = (shuffled *)source;
    if (rank == s->fails_at && s->passes_before-- == 0) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED, "rank %u is not to be had", rank);
        return false;
    }
    if (!s->graph.source.get(&s->graph.source, rank, out, error)) {
        return false;
    }
    /* by operation from the last to the first, each with its own in order */
    g_array_set_size(s->edges, 0);
    for (uint32_t i = out->num_ops; i > 0; i--) {
        for (size_t e = 0; e < out->num_edges; e++) {
            if (out->edges[e].earlier == i - 1) {
                g_array_append_val(s->edges, out->edges[e]);
            }
        }
    }
    out->edges = (const sched_edge *)(const void *)s->edges->data;
    return true;
}

static void shuffled_init(shuffled *s, const sim_graph *graph)
{
    *s = (shuffled){.source = {.num_ranks = sim_graph_num_ranks(graph), .get = get_shuffled},
                    .fails_at = UINT32_MAX};
    sched_graph_source_init(&s->graph, graph);
    s->edges = g_array_new(FALSE, FALSE, sizeof(sched_edge));
}

static void shuffled_clear(shuffled *s)
{
    sched_graph_source_clear(&s->graph);
    g_array_unref(s->edges);
}

static GBytes *contents(const char *path)
{
    gchar *text = NULL;
    gsize len = 0;
    CHECK(g_file_get_contents(path, &text, &len, NULL));
    return g_bytes_new_take(text, len);
}

static void files_do_not_depend_on_the_order_of_the_edges(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(SEED);
    g_autofree char *path = temporary();
    for (int round = 0; round < 40; round++) {
        g_autoptr(sim_graph) graph = goal_random_graph(rand, 30);
        shuffled s;
        shuffled_init(&s, graph);
        for (int binary = 0; binary < 2; binary++) {
            g_autoptr(GError) error = NULL;
            CHECK(binary ? sched_goal_write_binary(graph, path, &error)
                         : sched_goal_write_text(graph, path, &error));
            g_autoptr(GBytes) stored = contents(path);
            CHECK(binary ? sched_goal_write_binary_from(&s.source, path, &error)
                         : sched_goal_write_text_from(&s.source, path, &error));
            g_autoptr(GBytes) streamed = contents(path);
            CHECK(g_bytes_equal(stored, streamed), "round %d, binary %d", round, binary);
        }
        shuffled_clear(&s);
    }
    (void)g_unlink(path);
}

/* In each of the passes that there are; what was there before is not touched. */
static void a_source_that_fails_leaves_the_file_as_it_was(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(SEED + 1);
    g_autoptr(sim_graph) graph = goal_random_graph(rand, 30);
    g_autofree char *path = temporary();
    for (int binary = 0; binary < 2; binary++) {
        for (uint32_t pass = 0; pass < (binary ? 3U : 2U); pass++) {
            CHECK(g_file_set_contents(path, "before", -1, NULL));
            shuffled s;
            shuffled_init(&s, graph);
            s.fails_at = s.source.num_ranks - 1;
            s.passes_before = pass;
            g_autoptr(GError) error = NULL;
            CHECK(!(binary ? sched_goal_write_binary_from(&s.source, path, &error)
                           : sched_goal_write_text_from(&s.source, path, &error)));
            CHECK_ERROR(error, "is not to be had");
            g_autoptr(GBytes) after = contents(path);
            CHECK_STR(g_bytes_get_data(after, NULL), "before");
            shuffled_clear(&s);
        }
    }
    (void)g_unlink(path);
}

SUITE_MAIN("rank_source", TEST(files_do_not_depend_on_the_order_of_the_edges),
           TEST(a_source_that_fails_leaves_the_file_as_it_was))
