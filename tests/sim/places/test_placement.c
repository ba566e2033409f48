/* tests/sim/places/test_placement.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "sim/placement.h"

#define SEED 20101113

/* Node and slot of every rank as they are counted out one by one. */
static void compare(const sim_placement *p, const uint32_t *node)
{
    g_autofree uint32_t *count = g_new0(uint32_t, p->num_nodes);
    uint32_t used = 0;
    uint32_t most = 0;
    for (uint32_t rank = 0; rank < p->num_ranks; rank++) {
        CHECK_I64(sim_placement_node(p, rank), node[rank], "kind %d rank %u", p->kind, rank);
        CHECK_I64(sim_placement_slot(p, rank), count[node[rank]], "kind %d rank %u", p->kind, rank);
        used += count[node[rank]]++ == 0;
        most = MAX(most, count[node[rank]]);
    }
    CHECK_I64(p->num_used, used);
    CHECK(most <= p->ranks_per_node);
}

static void ranks_are_dealt_out_as_described(void)
{
    GRand *rand = g_rand_new_with_seed(SEED);
    for (int i = 0; i < 300; i++) {
        const uint32_t n = (uint32_t)g_rand_int_range(rand, 1, 200);
        const uint32_t per = (uint32_t)g_rand_int_range(rand, 1, 70);
        g_autofree uint32_t *node = g_new0(uint32_t, n);
        const sim_placement block = sim_placement_block(n, per);
        for (uint32_t rank = 1, on_node = 1; rank < n; rank++, on_node++) {
            node[rank] = node[rank - 1] + (on_node == per);
            on_node = on_node == per ? 0 : on_node;
        }
        compare(&block, node);
        CHECK_I64(block.num_nodes, node[n - 1] + 1);
        const sim_placement cyclic = sim_placement_cyclic(n, per);
        for (uint32_t rank = 0, at = 0; rank < n; rank++, at = (at + 1) % block.num_nodes) {
            node[rank] = at;
        }
        compare(&cyclic, node);
        CHECK_I64(cyclic.num_nodes, block.num_nodes);
        g_autofree uint32_t *slot = g_new0(uint32_t, n);
        for (uint32_t rank = 0; rank < n; rank++) {
            node[rank] = (uint32_t)g_rand_int_range(rand, 0, 50);
        }
        const sim_placement list = sim_placement_list(n, node, slot);
        compare(&list, node);
    }
    g_rand_free(rand);
}

static void without_a_reciprocal_ranks_are_divided_all_the_same(void)
{
    const sim_placement block = {.kind = SIM_PLACEMENT_BLOCK, .num_ranks = 10, .ranks_per_node = 3};
    const sim_placement cyclic = {.kind = SIM_PLACEMENT_CYCLIC, .num_ranks = 10, .num_nodes = 4};
    CHECK_I64(sim_placement_node(&block, 7), 2);
    CHECK_I64(sim_placement_slot(&block, 7), 1);
    CHECK_I64(sim_placement_node(&cyclic, 7), 3);
    CHECK_I64(sim_placement_slot(&cyclic, 7), 1);
}

static void quotients_by_multiplication_are_exact(void)
{
    static const uint32_t edge[] = {
        1,         2, 3, 5, 7, 64, 641, 65535, 65536, 65537, INT32_MAX, 1u << 31, UINT32_MAX - 1,
        UINT32_MAX};
    GRand *rand = g_rand_new_with_seed(SEED);
    bool ok = true;
    for (int i = 0; i < 200000 && ok; i++) {
        const bool at_edge = (size_t)i < G_N_ELEMENTS(edge) * G_N_ELEMENTS(edge);
        const uint32_t divisor = at_edge ? edge[(size_t)i / G_N_ELEMENTS(edge)]
                                         : (g_rand_int(rand) >> g_rand_int_range(rand, 0, 32)) + 1;
        uint32_t n = at_edge ? edge[(size_t)i % G_N_ELEMENTS(edge)] : g_rand_int(rand);
        if (divisor == 0) {
            continue;
        }
        n = i % 3 == 0 ? n / divisor * divisor - (i % 2) : n; /* where a quotient changes */
        ok = CHECK(sim_divide(n, divisor, sim_reciprocal(divisor)) == n / divisor, "%u / %u", n,
                   divisor);
    }
    g_rand_free(rand);
}

SUITE_MAIN("placement", TEST(ranks_are_dealt_out_as_described),
           TEST(without_a_reciprocal_ranks_are_divided_all_the_same),
           TEST(quotients_by_multiplication_are_exact))
