/* tests/schedgen/goal_random.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Random schedules, and whether two are the same.
 */
#pragma once

#include "check.h"
#include "sim/graph.h"

static inline sim_op goal_random_op(GRand *rand, uint32_t num_ranks)
{
    sim_op op = {.type = (uint8_t)g_rand_int_range(rand, 0, 3),
                 .cpu = (uint8_t)(g_rand_boolean(rand) ? 0 : g_rand_int_range(rand, 0, 255))};
    const int64_t size =
        (int64_t)(((uint64_t)g_rand_int(rand) << 31) >> g_rand_int_range(rand, 0, 63));
    if (op.type == SIM_OP_CALC) {
        op.size = size % (SIM_TIME_MAX / SIM_NS) * SIM_NS;
        return op;
    }
    op.size = size;
    op.peer = (uint32_t)g_rand_int_range(rand, 0, (gint32)num_ranks);
    op.tag = g_rand_boolean(rand) ? g_rand_int(rand) : (uint32_t)g_rand_int_range(rand, 0, 9);
    op.nic = (uint8_t)(g_rand_boolean(rand) ? 0 : g_rand_int_range(rand, 0, 255));
    if (op.type == SIM_OP_RECV && g_rand_int_range(rand, 0, 5) == 0) {
        op.peer = SIM_ANY;
    }
    if (g_rand_int_range(rand, 0, 9) == 0) {
        op.tag = SIM_ANY;
    }
    return op;
}

/**
 * Ranks with up to max_ops operations in any of which edges go forwards along a random order of
 * the operations, so that there is no cycle but label order is not a topological order.
 */
static inline sim_graph *goal_random_graph(GRand *rand, uint32_t max_ops)
{
    const uint32_t num_ranks = (uint32_t)g_rand_int_range(rand, 1, 6);
    sim_graph_builder *builder = sim_graph_builder_new(num_ranks);
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        sim_graph_builder_begin_rank(builder, rank);
        const uint32_t n = (uint32_t)g_rand_int_range(rand, 0, (gint32)max_ops + 1);
        g_autofree uint32_t *order = g_new(uint32_t, n + 1);
        for (uint32_t i = 0; i < n; i++) {
            const sim_op op = goal_random_op(rand, num_ranks);
            (void)sim_graph_builder_add(builder, &op);
            const uint32_t other = (uint32_t)g_rand_int_range(rand, 0, (gint32)i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        const int edges = n < 2 ? 0 : g_rand_int_range(rand, 0, 3 * (gint32)n);
        for (int e = 0; e < edges; e++) {
            const int later = g_rand_int_range(rand, 1, (gint32)n);
            const int earlier = g_rand_int_range(rand, 0, later);
            if (g_rand_boolean(rand)) {
                sim_graph_builder_require(builder, order[later], order[earlier]);
            } else {
                sim_graph_builder_irequire(builder, order[later], order[earlier]);
            }
        }
    }
    return sim_graph_builder_finish(builder, NULL);
}

static inline bool goal_same_list(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m)
{
    return n == m && (n == 0 || memcmp(a, b, n * sizeof *a) == 0);
}

static inline int goal_compare_u32(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/** The same operations and edges; with @p ordered, successors in the same order. */
static inline bool goal_same_graph(const sim_graph *a, const sim_graph *b, bool ordered)
{
    if (sim_graph_num_ranks(a) != sim_graph_num_ranks(b)) {
        return false;
    }
    for (uint32_t rank = 0; rank < sim_graph_num_ranks(a); rank++) {
        if (sim_graph_num_ops(a, rank) != sim_graph_num_ops(b, rank)) {
            return false;
        }
        for (uint32_t i = 0; i < sim_graph_num_ops(a, rank); i++) {
            const sim_op x = sim_graph_op(a, rank, i);
            const sim_op y = sim_graph_op(b, rank, i);
            if (x.size != y.size || x.peer != y.peer || x.tag != y.tag || x.comm != y.comm ||
                x.type != y.type || x.cpu != y.cpu || x.nic != y.nic) {
                return false;
            }
            for (int kind = 0; kind < 2; kind++) {
                uint32_t n;
                uint32_t m;
                const uint32_t *p = kind ? sim_graph_start_steps(a, rank, i, &n)
                                         : sim_graph_finish_steps(a, rank, i, &n);
                const uint32_t *q = kind ? sim_graph_start_steps(b, rank, i, &m)
                                         : sim_graph_finish_steps(b, rank, i, &m);
                g_autofree uint32_t *s = g_memdup2(p, n * sizeof *p);
                g_autofree uint32_t *t = g_memdup2(q, m * sizeof *q);
                if (!ordered && n > 0 && m > 0) {
                    qsort(s, n, sizeof *s, goal_compare_u32);
                    qsort(t, m, sizeof *t, goal_compare_u32);
                }
                if (!goal_same_list(s, n, t, m)) {
                    return false;
                }
            }
        }
    }
    return true;
}
