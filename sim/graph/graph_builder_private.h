/* sim/graph/graph_builder_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A graph under construction: one rank at a time is gathered and checked (graph_builder.c), then
 * packed and copied to its place (graph_freeze.c).
 *
 * The rank under construction lives in buffers that are reused from rank to rank. So memory peaks
 * at the final size plus one rank; where ranks go to a file, at two ranks. What is left of a chunk
 * was never touched, so it costs addresses, not memory.
 */
#pragma once

#include "graph/graph_dictionary.h"
#include "graph/graph_private.h"
#include "graph/graph_spool.h"

struct sim_graph_builder {
    sim_graph *graph;
    graph_dictionary_builder dictionary;
    graph_spool *spool; /* where ranks go instead of chunks; NULL: they are kept */
    size_t chunk_used;  /* of the last one */
    size_t chunk_left;
    bool *begun;  /* [num_ranks] */
    bool in_rank; /* is a rank under construction? */
    uint32_t rank;
    uint32_t next_rank; /* the one behind it */

    sim_op *own_ops;
    const sim_op *ops; /* own_ops, or the caller's */
    size_t num_ops, cap_ops;
    sim_edge *own_edges;
    const sim_edge *edges; /* own_edges, or the caller's */
    size_t num_edges, cap_edges;
    /* The rank that was frozen last, down to num_like: the next one is often like it. */
    graph_shape *shapes; /* [num_shapes] of its operations; they refer to steps */
    size_t num_shapes, cap_shapes;
    uint32_t *steps; /* [num_last] */
    size_t cap_steps;
    sim_edge *last; /* [num_last] its edges */
    size_t num_last, cap_last;
    uint32_t roots;           /* operations that wait for nothing */
    const graph_narrow *like; /* [num_like] its operations */
    size_t num_like;          /* 0 if they refer to another dictionary */

    /* Names: either given one by one, or all at once. */
    graph_label *labels; /* in the order they were given */
    size_t num_labels, cap_labels;
    graph_table text;      /* of char */
    const sim_name *names; /* [num_names] of the caller */
    size_t num_names;
    uint64_t name_bytes;           /* with a zero byte behind each */
    bool names_again;              /* they are those of named_before */
    graph_named_rank named_before; /* the rank that was frozen last */

    GError *error; /* the first thing that was wrong */
};

/** Move the rank under construction, which is checked and not empty, into the graph. */
void sim_graph_freeze_rank(sim_graph_builder *b);
