/* sim/graph_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How a stored graph lies in memory: rank after rank in large chunks, each rank frozen when it is
 * complete.
 */
#pragma once

#include "sim/graph.h"

/* Name of an operation that has one of its own. */
typedef struct graph_label {
    uint32_t op;
    uint32_t offset; /* of its first character in graph_labels.text */
} graph_label;

typedef struct graph_labels {
    uint32_t n;
    graph_label *at; /* [n] ascending op */
    char *text;
    size_t text_len;
} graph_labels;

/*
 * An operation and its successors, which stand in graph_rank.edges: first, from the end of the
 * operation before, those that require it, up to middle; then, up to end, those that irequire it.
 */
typedef struct graph_op {
    sim_op op;
    uint32_t middle;
    uint32_t end;
} graph_op;

typedef struct graph_rank {
    graph_op *ops;        /* [num_ops] */
    uint32_t *edges;      /* [of the last operation: end] */
    graph_labels *labels; /* NULL: all have their default names */
    uint64_t first;       /* operations of the ranks before: slot of operation 0 in a cursor */
    uint32_t num_ops;
} graph_rank;

/* Where the edges of an operation begin; of num_ops: how many edges there are. */
static inline uint32_t graph_begin_of(const graph_rank *rank, uint32_t index)
{
    return index > 0 ? rank->ops[index - 1].end : 0;
}

struct sim_graph {
    sim_program program; /* first: a graph is a program */
    graph_rank *rank;    /* [program.num_ranks] */
    uint64_t num_ops;
    uint64_t num_edges;
    size_t memory;     /* bytes of all of this, without cursors */
    GPtrArray *chunks; /* that hold the ranks' operations and edges */
};

/* What a run has done of one operation. */
typedef struct graph_slot {
    sim_time ready;     /* the latest instant it depends on so far */
    uint32_t num_waits; /* edges not yet satisfied, or one of the two below */
    uint32_t cause;     /* whose instant ready is; SIM_ANY: nobody's */
} graph_slot;

#define GRAPH_FINISHED  UINT32_MAX
#define GRAPH_STARTED   (UINT32_MAX - 1)
#define GRAPH_MAX_EDGES (UINT32_MAX - 2) /* per rank */

typedef struct graph_cursor {
    const sim_graph *graph;
    graph_slot *slot;    /* [num_ops] */
    uint32_t *remaining; /* [num_ranks] operations not ready yet */
} graph_cursor;

extern const sim_program_class sim_graph_class;

/** sim_program_class.label */
char *sim_graph_describe_op(const sim_program *program, uint32_t rank, uint32_t index);
/** sim_program_class.explain_stuck */
char *sim_graph_explain_stuck(const sim_program *program, const void *cursor);
