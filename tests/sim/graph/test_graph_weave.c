/* tests/sim/graph/test_graph_weave.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs of many ranks, whose operations are laid out for runs. */
#include "check.h"
#include "graph_forms.h"
#include "random_program.h"
#include "round_trip.h"

#define SEED 20101117

/*
 * A ring of 230 ranks, some of which compute more often than others: the first 64 a little, the
 * next by so much that most of what is woven would be padding, those from 128 on not at all but
 * every fifth, which has no operations; the last are too few to be woven.
 */
static sim_graph *ring_of_many(GRand *random)
{
    enum { RANKS = 230, ROUNDS = 7 };
    sim_graph_builder *b = sim_graph_builder_new(RANKS);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        sim_graph_builder_begin_rank(b, rank);
        if (rank >= 128 && rank % 5 == 0) {
            continue;
        }
        const bool sends = rank < 128;
        const uint32_t more = rank < 64 ? rank % 4 : (rank < 128 ? 3 * (rank - 63) : 0);
        for (uint32_t i = 0; i < 3 * ROUNDS + more; i++) {
            sim_op op = {.type = SIM_OP_CALC, .size = g_rand_int_range(random, 0, 1000)};
            if (sends && i < 3 * ROUNDS && i % 3 != 0) {
                op = (sim_op){.type = i % 3 == 1 ? SIM_OP_SEND : SIM_OP_RECV,
                              .size = 8,
                              .tag = i / 3,
                              .peer = (rank + (i % 3 == 1 ? 1 : 127)) % 128};
            }
            (void)sim_graph_builder_add(b, &op);
            if (i > 0 && g_rand_boolean(random)) {
                sim_graph_builder_require(b, i, (uint32_t)g_rand_int_range(random, 0, (gint32)i));
            }
        }
    }
    return sim_graph_builder_finish(b, NULL);
}

static void programs_of_many_ranks_are_laid_out_for_runs(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
    g_autofree char *path = temporary();
    for (int round = 0; round < 4; round++) {
        g_autoptr(sim_graph) plain = ring_of_many(random);
        const sim_params params = random_params(random, 8);
        check_round_trip(plain, &params, path);
        g_autoptr(sim_graph) mapped = sim_graph_map(path, SIM_GRAPH_VERIFY, NULL);
        const size_t before = sim_graph_memory(mapped);
        const size_t ops = 8 * sim_graph_total_ops(mapped);
        sim_graph_weave(mapped);
        const size_t padding = sim_graph_memory(mapped) - before;
        CHECK(padding > 0 && padding <= ops / 4, "%zu bytes beside %zu", padding, ops);
        for (graph_forms form = FORM_NARROW; form < NUM_FORMS; form++) {
            g_autoptr(sim_graph) g = graph_forms_copy(plain, form);
            check_round_trip(g, &params, path);
        }
    }
    (void)g_unlink(path);
}

/* Megabytes of each group of 64 ranks, of which the second has ranks of one and of many operations.
 */
static uint32_t large_ops(uint32_t rank)
{
    return rank / 64 == 1 ? (rank % 16 == 0 ? 120000 : 1) : 8000 + rank % 7;
}

static int64_t large_size(uint32_t rank, uint32_t index)
{
    return (int64_t)((rank * UINT32_C(2654435761) ^ index * UINT32_C(40503)) & 0xffffff);
}

static bool is_large_program(const sim_graph *graph)
{
    uint32_t wrong = 0;
    for (uint32_t r = 0; r < sim_graph_num_ranks(graph); r++) {
        wrong += sim_graph_num_ops(graph, r) != large_ops(r);
        for (uint32_t i = 0; i < sim_graph_num_ops(graph, r); i++) {
            wrong += sim_graph_op(graph, r, i).size != large_size(r, i);
        }
    }
    return CHECK(wrong == 0, "%u", wrong);
}

/* Memory of what has been woven is given back by pages; what stays beside it must not be on them.
 */
static void what_is_not_woven_stays_where_it_is(void)
{
    sim_graph_builder *b = sim_graph_builder_new(200);
    for (uint32_t rank = 0; rank < 200; rank++) {
        sim_graph_builder_begin_rank(b, rank);
        for (uint32_t i = 0; i < large_ops(rank); i++) {
            (void)sim_graph_builder_add(b, &(sim_op){.size = large_size(rank, i)});
        }
    }
    g_autoptr(sim_graph) built = sim_graph_builder_finish(b, NULL);
    CHECK(is_large_program(built));
    g_autofree char *path = temporary();
    CHECK(sim_graph_save(built, path, NULL));
    g_autoptr(sim_graph) mapped = sim_graph_map(path, SIM_GRAPH_VERIFY, NULL);
    sim_graph_weave(mapped);
    CHECK(is_large_program(mapped));
    (void)g_unlink(path);
}

SUITE_MAIN("graph_weave", TEST(programs_of_many_ranks_are_laid_out_for_runs),
           TEST(what_is_not_woven_stays_where_it_is))
