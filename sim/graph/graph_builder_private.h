/* sim/graph/graph_builder_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A graph under construction: one rank at a time is gathered and checked (graph_builder.c), then
 * packed and copied to its place (graph_freeze.c).
 *
 * The rank under construction lives in buffers that are reused from rank to rank. So memory peaks
 * at the final size plus one rank. What is left of a chunk was never touched, so it costs
 * addresses, not memory.
 */
#pragma once

#include "graph/graph_dictionary.h"
#include "graph/graph_private.h"

struct sim_graph_builder {
    sim_graph *graph;
    graph_dictionary_builder dictionary;
    size_t chunk_used; /* of the last one */
    size_t chunk_left;
    bool *begun;  /* [num_ranks] */
    bool in_rank; /* is a rank under construction? */
    uint32_t rank;

    sim_op *ops;
    size_t num_ops, cap_ops;
    sim_edge *own_edges;
    const sim_edge *edges; /* own_edges, or the caller's */
    size_t num_edges, cap_edges;
    /* What the last rank that was frozen had, since the next is often like it: */
    graph_shape *shapes; /* [num_shapes] its operations, counting from steps */
    size_t num_shapes, cap_shapes;
    uint32_t *steps; /* [num_last] */
    size_t cap_steps;
    sim_edge *last; /* [num_last] its edges */
    size_t num_last, cap_last;
    uint32_t roots;           /* operations that wait for nothing */
    const graph_narrow *like; /* the operations, if they refer to the same dictionary; */
    size_t num_like;          /* else 0 */

    graph_label *labels; /* in the order they were given */
    size_t num_labels, cap_labels;
    graph_table text; /* of char */

    GError *error; /* the first thing that was wrong */
};

/** The rank under construction, checked and not empty, goes to its place in the graph. */
void sim_graph_freeze_rank(sim_graph_builder *b);
