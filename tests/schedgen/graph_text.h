/* tests/schedgen/graph_text.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A rank of a program as text: one operation per line, what it depends on behind it.
 *
 *     calc 5000
 *     send 8 to 1 #7 c0 < 0        requires operation 0
 *     recv 8 from 1 #7 c0 ~ 1      irequires operation 1; "any" for wildcards
 */
#pragma once

#include "sim/graph.h"

static inline void graph_text_edges(const sim_graph *graph, uint32_t rank, uint32_t op,
                                    GString *text)
{
    for (int finish = 1; finish >= 0; finish--) {
        bool any = false;
        for (uint32_t i = 0; i < sim_graph_num_ops(graph, rank); i++) {
            uint32_t n;
            const uint32_t *step = finish ? sim_graph_finish_steps(graph, rank, i, &n)
                                          : sim_graph_start_steps(graph, rank, i, &n);
            for (uint32_t k = 0; k < n; k++) {
                if (i + step[k] == op) {
                    g_string_append_printf(text, "%s%u", any ? "," : finish ? " < " : " ~ ", i);
                    any = true;
                }
            }
        }
    }
    g_string_append_c(text, '\n');
}

static inline void graph_text_number(GString *text, const char *before, uint32_t n)
{
    if (n == SIM_ANY) {
        g_string_append_printf(text, "%sany", before);
    } else {
        g_string_append_printf(text, "%s%u", before, n);
    }
}

/** Owned by the caller. */
static inline char *graph_text(const sim_graph *graph, uint32_t rank)
{
    GString *text = g_string_new("");
    for (uint32_t i = 0; i < sim_graph_num_ops(graph, rank); i++) {
        const sim_op op = sim_graph_op(graph, rank, i);
        static const char *const names[] = {"calc", "send", "recv"};
        g_string_append_printf(text, "%s %" G_GINT64_FORMAT, names[op.type], op.size);
        if (op.type != SIM_OP_CALC) {
            graph_text_number(text, op.type == SIM_OP_SEND ? " to " : " from ", op.peer);
            graph_text_number(text, " #", op.tag);
            g_string_append_printf(text, " c%u", op.comm);
        }
        graph_text_edges(graph, rank, i, text);
    }
    return g_string_free(text, FALSE);
}
