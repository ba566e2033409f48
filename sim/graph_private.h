/* sim/graph_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How a stored graph lies in memory: one block per rank, frozen when the rank is complete.
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
 * Successors of operation i: edges[begin[2i] .. begin[2i+1]) require it, edges[begin[2i+1] ..
 * begin[2i+2]) irequire it. ops is the start of the rank's only block.
 */
typedef struct graph_rank {
    sim_op *ops;          /* [num_ops] */
    uint32_t *begin;      /* [2 num_ops + 1] */
    uint32_t *edges;      /* [begin[2 num_ops]] */
    graph_labels *labels; /* NULL: all have their default names */
    uint64_t first;       /* operations of the ranks before: slot of operation 0 in a cursor */
    uint32_t num_ops;
} graph_rank;

struct sim_graph {
    sim_program program; /* first: a graph is a program */
    graph_rank *rank;    /* [program.num_ranks] */
    uint64_t num_ops;
    uint64_t num_edges;
    size_t memory; /* bytes of all of this, without cursors */
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
