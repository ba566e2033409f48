/* tests/schedgen/schedule_compare.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Are two schedules the same, but for the numbers of their communicators and how much more than
 * what comes a receive would take?
 */
#pragma once

#include "sim/graph.h"

#include <glib.h>
#include <stdlib.h>

static inline int schedule_compare_u32(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The same successors, in any order? */
static inline bool schedule_same_edges(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m)
{
    g_autofree uint32_t *x = g_memdup2(a, n * sizeof *a);
    g_autofree uint32_t *y = g_memdup2(b, m * sizeof *b);
    if (n != m || n == 0) {
        return n == m;
    }
    qsort(x, n, sizeof *x, schedule_compare_u32);
    qsort(y, n, sizeof *y, schedule_compare_u32);
    return memcmp(x, y, n * sizeof *x) == 0;
}

/* Is communicator @p a of the one always @p b of the other? */
static inline bool schedule_same_comm(GHashTable *known, uint32_t a, uint32_t b)
{
    void *found;
    if (!g_hash_table_lookup_extended(known, GUINT_TO_POINTER(a), NULL, &found)) {
        g_hash_table_insert(known, GUINT_TO_POINTER(a), GUINT_TO_POINTER(b));
        return true;
    }
    return GPOINTER_TO_UINT(found) == b;
}

static inline const char *schedule_type(uint8_t type)
{
    return type == SIM_OP_CALC ? "calc" : type == SIM_OP_SEND ? "send" : "recv";
}

/** @return NULL: the same; else what differs first, owned by the caller */
static inline char *schedule_compare(const sim_graph *a, const sim_graph *b)
{
    g_autoptr(GHashTable) there = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) back = g_hash_table_new(NULL, NULL);
    if (sim_graph_num_ranks(a) != sim_graph_num_ranks(b)) {
        return g_strdup("the number of ranks");
    }
    for (uint32_t rank = 0; rank < sim_graph_num_ranks(a); rank++) {
        if (sim_graph_num_ops(a, rank) != sim_graph_num_ops(b, rank)) {
            return g_strdup_printf("rank %u: %u operations and %u", rank,
                                   sim_graph_num_ops(a, rank), sim_graph_num_ops(b, rank));
        }
        for (uint32_t i = 0; i < sim_graph_num_ops(a, rank); i++) {
            const sim_op x = sim_graph_op(a, rank, i);
            const sim_op y = sim_graph_op(b, rank, i);
            uint32_t n[4];
            const uint32_t *finish_a = sim_graph_finish_steps(a, rank, i, &n[0]);
            const uint32_t *finish_b = sim_graph_finish_steps(b, rank, i, &n[1]);
            const uint32_t *start_a = sim_graph_start_steps(a, rank, i, &n[2]);
            const uint32_t *start_b = sim_graph_start_steps(b, rank, i, &n[3]);
            if (x.type != y.type || x.peer != y.peer || x.tag != y.tag || x.cpu != y.cpu ||
                x.nic != y.nic || (x.type != SIM_OP_RECV && x.size != y.size) ||
                !schedule_same_comm(there, x.comm, y.comm) ||
                !schedule_same_comm(back, y.comm, x.comm) ||
                !schedule_same_edges(finish_a, n[0], finish_b, n[1]) ||
                !schedule_same_edges(start_a, n[2], start_b, n[3])) {
                return g_strdup_printf("rank %u, operation %u: %s peer %u tag %u comm %u size "
                                       "%" G_GINT64_FORMAT ", %s peer %u tag %u comm %u size "
                                       "%" G_GINT64_FORMAT ", or what follows it",
                                       rank, i, schedule_type(x.type), x.peer, x.tag, x.comm,
                                       x.size, schedule_type(y.type), y.peer, y.tag, y.comm,
                                       y.size);
            }
        }
    }
    return NULL;
}
