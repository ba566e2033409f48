/* tests/sim/graph_forms.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The same program with its ranks stored in one form or another: a rank that nobody talks to is
 * added, built first, and so odd that it leaves little room in the dictionary for the others.
 */
#pragma once

#include "sim/graph.h"

typedef enum { FORM_NARROW, FORM_WIDE, FORM_FULL, NUM_FORMS } graph_forms;

/* As many descriptions as are free; or as many successors as there can be, told by distance. */
static inline void graph_forms_fill(sim_graph_builder *b, graph_forms form)
{
    const uint32_t n = form == FORM_NARROW ? 0 : form == FORM_WIDE ? 1 << 14 : 1 << 17;
    for (uint32_t i = 0; i < n; i++) {
        const sim_op op = {.type = SIM_OP_CALC, .comm = form == FORM_WIDE ? i : 0};
        (void)sim_graph_builder_add(b, &op);
    }
    for (uint32_t i = 0; form == FORM_FULL && i < n / 2 - 2; i++) {
        sim_graph_builder_require(b, n - 1 - i, i);
    }
}

static inline void graph_forms_add_edges(sim_graph_builder *b, const sim_graph *graph,
                                         uint32_t rank, uint32_t op)
{
    uint32_t n;
    const uint32_t *step = sim_graph_finish_steps(graph, rank, op, &n);
    for (uint32_t k = 0; k < n; k++) {
        sim_graph_builder_require(b, op + step[k], op);
    }
    step = sim_graph_start_steps(graph, rank, op, &n);
    for (uint32_t k = 0; k < n; k++) {
        sim_graph_builder_irequire(b, op + step[k], op);
    }
}

/** The rank's operations, names and edges, once more; nothing where it is empty. */
static inline void graph_forms_add(sim_graph_builder *b, const sim_graph *graph, uint32_t rank)
{
    const uint32_t n = sim_graph_num_ops(graph, rank);
    if (n > 0) {
        sim_graph_builder_begin_rank(b, rank);
    }
    for (uint32_t i = 0; i < n; i++) {
        const sim_op op = sim_graph_op(graph, rank, i);
        const char *label = sim_graph_label(graph, rank, i);
        (void)sim_graph_builder_add(b, &op);
        if (label != NULL) {
            sim_graph_builder_label(b, label);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        graph_forms_add_edges(b, graph, rank, i);
    }
}

/** A copy with one rank more. Owned by the caller. */
static inline sim_graph *graph_forms_copy(const sim_graph *graph, graph_forms form)
{
    const uint32_t num_ranks = sim_graph_num_ranks(graph);
    sim_graph_builder *b = sim_graph_builder_new(num_ranks + 1);
    sim_graph_builder_begin_rank(b, num_ranks);
    graph_forms_fill(b, form);
    for (uint32_t r = 0; r < num_ranks; r++) {
        graph_forms_add(b, graph, r);
    }
    return sim_graph_builder_finish(b, NULL);
}
