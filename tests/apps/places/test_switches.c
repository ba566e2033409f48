/* tests/apps/places/test_switches.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "output/error.h"
#include "places/switches.h"
#include "sim/distance.h"
#include "text_file.h"

#define SEED 20101113

static app_switches *read_text(const char *kind, const char *text, GError **error)
{
    char *path = text_file_write(text);
    g_autofree char *form = g_strconcat(kind, ":", path, NULL);
    app_switches *s = app_switches_read(form, error);
    text_file_drop(path);
    return s;
}

/* A ring of four switches, the last one without nodes; by hand. */
static void a_matrix_and_its_graph_are_the_same(void)
{
    static const char *const text[][2] = {
        {"matrix", "nodes 2 1 1 0\n1 2 3 2\n2 1 2 3\n3 2 1 2\n2 3 2 1\n"},
        {"graph", "0 1\n1 2 # a comment\nnodes 2 1 1 0\n2 3\n3 0\n0 1\n"},
    };
    static const uint32_t switch_of[] = {0, 0, 1, 2};
    static const uint16_t hops[] = {0, 1, 2, 1, 0, 1, 2, 1, 0};
    for (size_t i = 0; i < G_N_ELEMENTS(text); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(app_switches) s = read_text(text[i][0], text[i][1], &error);
        if (CHECK(s != NULL, "%s", error != NULL ? error->message : "") &&
            CHECK_I64(s->num_switches, 3) && CHECK_I64(s->num_nodes, 4)) {
            CHECK(memcmp(s->switch_of, switch_of, sizeof switch_of) == 0, "%s", text[i][0]);
            CHECK(memcmp(s->hops, hops, sizeof hops) == 0, "%s", text[i][0]);
        }
    }
}

/* Written link by link, against the closed form. */
static void a_torus_as_a_graph_is_as_far_as_the_torus(void)
{
    enum { A = 5, B = 4 };
    g_autoptr(GString) text = g_string_new("nodes 1\n");
    for (int y = 0; y < B; y++) {
        for (int x = 0; x < A; x++) {
            g_string_append_printf(text, "%d %d\n%d %d\n", x + A * y, (x + 1) % A + A * y,
                                   x + A * y, x + A * ((y + 1) % B));
        }
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(app_switches) s = read_text("graph", text->str, &error);
    sim_distance torus;
    sim_distance graph;
    if (!CHECK(s != NULL, "%s", error != NULL ? error->message : "") ||
        !CHECK(sim_distance_parse("torus:5x4", SIM_NS, &torus, NULL)) ||
        !CHECK(sim_distance_matrix(s->num_switches, s->hops, s->num_nodes, s->switch_of, SIM_NS,
                                   &graph, NULL))) {
        return;
    }
    CHECK_I64(graph.num_nodes, torus.num_nodes);
    for (uint32_t a = 0; a < A * B; a++) {
        for (uint32_t b = 0; b < A * B; b++) {
            CHECK_I64(sim_distance_extra(&graph, a, b), sim_distance_extra(&torus, a, b),
                      "%u to %u", a, b);
        }
    }
}

enum { N = 12, FAR = 1000 };

/* All pairs, by Floyd and Warshall. */
static void close_ways(int way[N][N])
{
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                way[i][j] = MIN(way[i][j], way[i][k] + way[k][j]);
            }
        }
    }
}

static void random_graphs_have_their_shortest_ways(void)
{
    GRand *rand = g_rand_new_with_seed(SEED);
    for (int trial = 0; trial < 50; trial++) {
        int way[N][N];
        g_autoptr(GString) text = g_string_new(NULL);
        for (int i = 0; i < N * N; i++) {
            way[i / N][i % N] = i / N == i % N ? 0 : FAR;
        }
        for (int i = 1; i < N + 4; i++) { /* a tree, and a few links more */
            const int a = i < N ? i : g_rand_int_range(rand, 0, N);
            const int b = g_rand_int_range(rand, 0, MIN(i, N));
            g_string_append_printf(text, "%d %d\n", a, b);
            way[a][b] = way[b][a] = MIN(way[a][b], a != b);
        }
        close_ways(way);
        g_autoptr(GError) error = NULL;
        g_autoptr(app_switches) s = read_text("graph", text->str, &error);
        if (!CHECK(s != NULL && s->num_switches == N, "%s", text->str)) {
            break;
        }
        for (int i = 0; i < N * N; i++) {
            CHECK_I64(s->hops[i], way[i / N][i % N], "trial %d: %d", trial, i);
        }
    }
    g_rand_free(rand);
}

static void what_is_wrong_is_named(void)
{
    static const struct {
        const char *kind, *text, *wanted;
    } row[] = {
        {"matrix", "", ": 0 rows of 0 numbers: wanted as many as switches"},
        {"matrix", "1 2\n", ": 1 rows of 2 numbers: wanted as many as switches"},
        {"matrix", "1 2\n2 1\n2 1\n", ":3: more than 2 rows of 2 numbers"},
        {"matrix", "1 2\n2\n", ":2: 1 numbers in a row of 2"},
        {"matrix", "1 2\n2 x\n", ":2: switches on the way: wanted a whole number from 0 to 65535"},
        {"matrix", "1 65536\n65536 1\n", ":1: switches on the way: wanted a whole number"},
        {"matrix", "1 2\n3 1\n", ": from switch 1 to 0 there are 3 on the way, and back 2"},
        {"matrix", "nodes 1 2\nnodes 1\n1\n", ":2: a second line 'nodes'"},
        {"matrix", "nodes\n1\n", ":1: nodes: how many on each switch?"},
        {"matrix", "nodes 1 2\n1\n", ": nodes of 2 switches, but there are 1"},
        {"matrix", "nodes 0\n1\n", ": 0 nodes on 0 switches: there must be 1 to 16777216"},
        {"matrix", "nodes -1\n1\n", ":1: nodes: wanted a whole number"},
        {"graph", "", ": no link between any switches"},
        {"graph", "0 1 2\n", ":1: wanted a link: two numbers of switches"},
        {"graph", "0 1\n1\n", ":2: wanted a link"},
        {"graph", "0 a\n", ":1: switch: wanted a whole number from 0 to 1048575, not 'a'"},
        {"graph", "0 1\n2 3\n", ": there is no way from switch 0 to switch 2"},
        {"graph", "nodes 1 1 1\n0 1\n", ": there is no way from switch 0 to switch 2"},
        {"graph", "nodes 1 1\n0 1\n1 2\n", ": nodes of 2 switches, but there are 3"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(app_switches) s = read_text(row[i].kind, row[i].text, &error);
        CHECK(s == NULL, "row %zu", i);
        CHECK_ERROR(error, row[i].wanted);
        CHECK(g_error_matches(error, APP_ERROR, APP_ERROR_INPUT), "row %zu", i);
    }
    /* Switches that no node is on need no way. */
    g_autoptr(app_switches) s = read_text("graph", "nodes 1 1 0 0\n0 1\n2 3\n", NULL);
    CHECK(s != NULL && s->num_nodes == 2);
}

SUITE_MAIN("switches", TEST(a_matrix_and_its_graph_are_the_same),
           TEST(a_torus_as_a_graph_is_as_far_as_the_torus),
           TEST(random_graphs_have_their_shortest_ways), TEST(what_is_wrong_is_named))
