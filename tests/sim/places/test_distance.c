/* tests/sim/places/test_distance.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "sim/distance.h"
#include "sim/error.h"
#include "topology_graph.h"

#define SEED  20101113
#define L_HOP ((sim_time)100 * SIM_NS)

static sim_distance parse(const char *form)
{
    sim_distance d = {.kind = SIM_DISTANCE_NONE};
    g_autoptr(GError) error = NULL;
    CHECK(sim_distance_parse(form, L_HOP, &d, &error), "%s: %s", form,
          error != NULL ? error->message : "");
    return d;
}

/* All pairs of nodes, against a search of the graph, and the bound of them all. */
static void compare(const char *form, topology_graph *graph)
{
    const sim_distance d = parse(form);
    const uint32_t n = graph->switch_of->len;
    const uint32_t *at = (const uint32_t *)(void *)graph->switch_of->data;
    CHECK_I64(d.num_nodes, n, "%s", form);
    sim_time most = 0;
    bool same = true;
    for (uint32_t a = 0; a < n && same; a++) {
        g_autofree uint32_t *ways = topology_graph_search(graph, at[a]);
        for (uint32_t b = 0; b < n && same; b++) {
            const sim_time wanted = a == b ? 0 : (ways[at[b]] - 1) * L_HOP;
            const sim_time extra = sim_distance_extra(&d, a, b);
            same = CHECK(extra == wanted && sim_distance_extra(&d, b, a) == extra,
                         "%s: %u to %u: %" PRId64 ", wanted %" PRId64, form, a, b, extra, wanted);
            most = MAX(most, wanted);
        }
    }
    CHECK(sim_distance_most(&d) >= most, "%s", form);
}

static void fat_trees_are_as_long_as_in_their_graph(void)
{
    for (uint32_t radix = 4; radix <= 10; radix += 2) {
        for (uint32_t levels = 1; levels <= (radix == 4 ? 6 : 3); levels++) {
            g_autofree char *form = g_strdup_printf("fat-tree:%u:%u", radix, levels);
            g_autoptr(topology_graph) graph = topology_fat_tree(radix, levels);
            compare(form, graph);
        }
    }
}

static void tori_are_as_long_as_in_their_graph(void)
{
    static const struct {
        const char *form;
        uint32_t extent[6], dimensions;
    } row[] = {
        {"torus:1", {1}, 1},           {"torus:2", {2}, 1},
        {"torus:9", {9}, 1},           {"torus:3x1", {3, 1}, 2},
        {"torus:5x4", {5, 4}, 2},      {"torus:2x3x4", {2, 3, 4}, 3},
        {"torus:6x7x5", {6, 7, 5}, 3}, {"torus:2x1x3x2x2x4", {2, 1, 3, 2, 2, 4}, 6},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(topology_graph) graph = topology_torus(row[i].extent, row[i].dimensions);
        compare(row[i].form, graph);
    }
}

static void dragonflies_are_as_long_as_in_their_graph(void)
{
    static const uint32_t row[][3] = {{1, 1, 1}, {1, 4, 2}, {2, 1, 3},  {2, 3, 1}, {3, 4, 2},
                                      {9, 4, 2}, {9, 2, 1}, {10, 4, 2}, {5, 1, 2}, {33, 8, 4}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *form =
            g_strdup_printf("dragonfly:%u:%u:%u", row[i][0], row[i][1], row[i][2]);
        g_autoptr(topology_graph) graph = topology_dragonfly(row[i][0], row[i][1], row[i][2]);
        compare(form, graph);
    }
}

/* By hand, from the pictures of docs/model.md, section 10.2. */
static void examples_are_those_of_the_documents(void)
{
    static const struct {
        const char *form;
        uint32_t a, b, hops;
    } row[] = {
        {"fat-tree:4:3", 0, 1, 0},    {"fat-tree:4:3", 1, 2, 2},     {"fat-tree:4:3", 3, 4, 4},
        {"fat-tree:4:3", 0, 15, 4},   {"torus:4x3", 0, 3, 1},        {"torus:4x3", 0, 6, 3},
        {"torus:4x3", 1, 9, 1},       {"dragonfly:4:3:2", 0, 1, 0},  {"dragonfly:4:3:2", 0, 5, 1},
        {"dragonfly:4:3:2", 0, 6, 1}, {"dragonfly:4:3:2", 2, 10, 3}, {"dragonfly:4:3:2", 2, 18, 2},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const sim_distance d = parse(row[i].form);
        CHECK_I64(sim_distance_extra(&d, row[i].a, row[i].b), row[i].hops * L_HOP, "%s: %u to %u",
                  row[i].form, row[i].a, row[i].b);
    }
}

static void large_topologies_are_symmetric_and_within_their_bounds(void)
{
    static const char *const forms[] = {"fat-tree:64:3", "torus:101x97x89", "dragonfly:513:32:16",
                                        "torus:2147483647", "fat-tree:1290:3"};
    GRand *rand = g_rand_new_with_seed(SEED);
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        const sim_distance d = parse(forms[i]);
        const sim_time most = sim_distance_most(&d);
        bool ok = true;
        for (int k = 0; k < 20000 && ok; k++) {
            const uint32_t a = g_rand_int(rand) % d.num_nodes;
            const uint32_t b = g_rand_int(rand) % d.num_nodes;
            const sim_time extra = sim_distance_extra(&d, a, b);
            ok = CHECK(extra >= 0 && extra <= most && extra == sim_distance_extra(&d, b, a),
                       "%s: %u %u", forms[i], a, b);
        }
    }
    g_rand_free(rand);
}

/* A line of three switches, 2, 0 and 1 nodes on them. */
static void a_matrix_is_looked_up(void)
{
    static const uint16_t hops[] = {0, 1, 2, 1, 0, 1, 2, 1, 0};
    static const uint32_t switch_of[] = {0, 0, 2};
    sim_distance d;
    CHECK(sim_distance_matrix(3, hops, 3, switch_of, L_HOP, &d, NULL));
    CHECK_I64(sim_distance_extra(&d, 0, 1), 0);
    CHECK_I64(sim_distance_extra(&d, 1, 2), 2 * L_HOP);
    CHECK_I64(sim_distance_most(&d), 2 * L_HOP);
    g_autoptr(GError) error = NULL;
    CHECK(!sim_distance_matrix(3, hops, 3, switch_of, SIM_TIME_MAX, &d, &error));
    CHECK_ERROR(error, "the longest way takes more time than there is");
}

static void no_distance_is_none_between_any_nodes(void)
{
    const sim_distance none = {.kind = SIM_DISTANCE_NONE};
    CHECK_I64(sim_distance_extra(&none, 5, 1u << 20), 0);
}

static void a_job_larger_than_its_topology_is_refused(void)
{
    const sim_distance d = parse("torus:2x4");
    const sim_placement fits = sim_placement_block(32, 4);
    const sim_placement large = sim_placement_cyclic(33, 4);
    const uint32_t node[] = {0, 8};
    uint32_t slot[2];
    const sim_placement list = sim_placement_list(2, node, slot);
    g_autoptr(GError) error = NULL;
    CHECK(sim_distance_check(&d, &fits, NULL));
    CHECK(!sim_distance_check(&d, &large, &error));
    CHECK_ERROR(error, "the topology has 8 nodes, but 33 ranks, 4 on a node, need 9");
    g_clear_error(&error);
    CHECK(!sim_distance_check(&d, &list, &error));
    CHECK_ERROR(error, "the topology has nodes 0 to 7, but there are ranks on node 8");
}

static void bad_forms_are_refused_by_name(void)
{
    static const struct {
        const char *form, *wanted;
    } row[] = {
        {"", "distance '': no such form; known are fat-tree, torus, dragonfly, matrix, graph"},
        {"tours:4x4", "distance 'tours:4x4': no such form; did you mean 'torus'?"},
        {"torus", "wanted torus:AxBxC"},
        {"torus:", "wanted torus:AxBxC"},
        {"torus:4x", "wanted torus:AxBxC"},
        {"torus:4x0", "wanted torus:AxBxC"},
        {"torus:4x-1", "wanted torus:AxBxC"},
        {"torus:4x4 ", "wanted torus:AxBxC"},
        {"torus:1x1x1x1x1x1x1", "wanted torus:AxBxC"},
        {"graph:file", "wanted a form that needs no file"},
        {"torus:65536x65536", "more than 2^31 - 1 nodes"},
        {"fat-tree:4", "wanted fat-tree:RADIX:LEVELS"},
        {"fat-tree:5:2", "wanted fat-tree:RADIX:LEVELS"},
        {"fat-tree:2:2", "wanted fat-tree:RADIX:LEVELS"},
        {"fat-tree:4:7", "wanted fat-tree:RADIX:LEVELS"},
        {"fat-tree:4:0", "wanted fat-tree:RADIX:LEVELS"},
        {"fat-tree:100000:3", "more than 2^31 - 1 nodes"},
        {"dragonfly:4:4", "wanted dragonfly:GROUPS:ROUTERS:NODES"},
        {"dragonfly:4:4:4:4", "wanted dragonfly:GROUPS:ROUTERS:NODES"},
        {"dragonfly:99999:9999:999", "more than 2^31 - 1 nodes"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        sim_distance d = {.kind = SIM_DISTANCE_NONE};
        g_autoptr(GError) error = NULL;
        CHECK(!sim_distance_parse(row[i].form, L_HOP, &d, &error), "%s", row[i].form);
        CHECK_ERROR(error, row[i].wanted);
        CHECK(g_error_matches(error, SIM_ERROR, SIM_ERROR_BAD_MACHINE));
        CHECK(d.kind == SIM_DISTANCE_NONE);
    }
    sim_distance d;
    g_autoptr(GError) error = NULL;
    CHECK(!sim_distance_parse("torus:9", SIM_TIME_MAX / 3, &d, &error));
    CHECK_ERROR(error, "the longest way takes more time than there is");
    CHECK(sim_distance_parse("torus:9", SIM_TIME_MAX / 4, &d, NULL));
}

SUITE_MAIN("distance", TEST(fat_trees_are_as_long_as_in_their_graph),
           TEST(tori_are_as_long_as_in_their_graph),
           TEST(dragonflies_are_as_long_as_in_their_graph),
           TEST(examples_are_those_of_the_documents),
           TEST(large_topologies_are_symmetric_and_within_their_bounds),
           TEST(a_matrix_is_looked_up), TEST(no_distance_is_none_between_any_nodes),
           TEST(a_job_larger_than_its_topology_is_refused), TEST(bad_forms_are_refused_by_name))
