/* tests/apps/view/test_rank_ops.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The operations of a rank against what is stored, and its farthest partner. */
#include "check.h"
#include "step_program.h"
#include "view/rank_ops.h"

typedef struct seen {
    const sim_graph *graph;
    uint32_t rank;
    GHashTable *ops;
} seen;

static void see(uint32_t index, const sim_op *op, void *user)
{
    const seen *s = user;
    const sim_op stored = sim_graph_op(s->graph, s->rank, index);
    CHECK(stored.type == op->type && stored.size == op->size && stored.peer == op->peer, "op %u",
          index);
    CHECK(g_hash_table_add(s->ops, GUINT_TO_POINTER(index)), "op %u is new", index);
}

static void all_operations_of_a_rank_are_visited_once(void)
{
    const step_program p = {STEP_HALO, false, 9, 12, 2, 100, SIM_US};
    g_autoptr(sim_graph) graph = step_program_new(&p);
    for (uint32_t rank = 0; rank < p.num_ranks; rank++) {
        g_autoptr(GHashTable) ops = g_hash_table_new(NULL, NULL);
        seen s = {graph, rank, ops};
        app_rank_ops_visit(sim_graph_program(graph), rank, UINT64_MAX, see, &s);
        CHECK_I64(g_hash_table_size(ops), sim_graph_num_ops(graph, rank), "rank %u", rank);
    }
}

typedef struct count {
    uint32_t rank;
    uint64_t ops[9];
} count;

static void begin_counting(uint32_t rank, void *user)
{
    ((count *)user)->rank = rank;
}

static void count_one(uint32_t index, const sim_op *op, void *user)
{
    (void)index;
    (void)op;
    count *c = user;
    c->ops[c->rank]++;
}

static void all_ranks_are_visited_one_after_the_other(void)
{
    const step_program p = {STEP_HALO, false, 9, 12, 2, 100, SIM_US};
    g_autoptr(sim_graph) graph = step_program_new(&p);
    count c = {0};
    app_ranks_ops_visit(sim_graph_program(graph), begin_counting, count_one, &c);
    for (uint32_t rank = 0; rank < p.num_ranks; rank++) {
        CHECK_I64(c.ops[rank], sim_graph_num_ops(graph, rank), "rank %u", rank);
    }
}

static void the_farthest_partner_is_found_around_a_ring(void)
{
    for (uint32_t distance = 1; distance <= 3; distance++) {
        const step_program p = {STEP_HALO, true, 9, 2, distance, 100, SIM_US};
        g_autoptr(sim_graph) graph = step_program_new(&p);
        CHECK_I64(app_rank_ops_distance(sim_graph_program(graph), 0), distance, "rank 0");
        CHECK_I64(app_rank_ops_distance(sim_graph_program(graph), 8), distance, "rank 8");
    }
}

SUITE_MAIN("rank_ops", TEST(all_operations_of_a_rank_are_visited_once),
           TEST(all_ranks_are_visited_one_after_the_other),
           TEST(the_farthest_partner_is_found_around_a_ring))
