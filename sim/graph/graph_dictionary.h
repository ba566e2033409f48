/* sim/graph/graph_dictionary.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What operations of a graph under construction have in common: each thing once, found by hash.
 * Entries go to the ends of the graph's tables, into the segment begun last.
 */
#pragma once

#include "graph/graph_private.h"

/* Successors of an operation, with absolute steps not yet in a table. */
typedef struct graph_shape_key {
    uint32_t waits;
    uint32_t num_finish;
    uint32_t num_start;
    const uint32_t *steps; /* [num_finish + num_start] */
} graph_shape_key;

/* An operation, packed to be compared. */
typedef struct graph_desc_key {
    int64_t size;
    uint64_t tag_peer; /* tag << 32 | peer */
    uint64_t rest;     /* sim_graph_op_rest() */
} graph_desc_key;

static inline uint64_t sim_graph_op_rest(const sim_op *op)
{
    return (uint64_t)op->type << 48 | (uint64_t)op->cpu << 40 | (uint64_t)op->nic << 32 | op->comm;
}

typedef struct graph_index {
    uint32_t *slot; /* entry + 1 within the segment; 0: free */
    uint32_t mask;  /* number of slots, a power of two, less one */
} graph_index;

typedef struct graph_dictionary_builder {
    sim_graph *graph;
    graph_index descs;
    graph_index shapes;
    uint64_t num_ops[GRAPH_NUM_FORMS]; /* that the segment serves, by form */
} graph_dictionary_builder;

/* How full a segment is. */
typedef struct graph_dictionary_mark {
    uint32_t num_descs;
    uint32_t num_shapes;
    uint64_t num_steps; /* of all segments */
} graph_dictionary_mark;

void sim_graph_dictionary_init(graph_dictionary_builder *d, sim_graph *graph);
void sim_graph_dictionary_clear(graph_dictionary_builder *d);
/** Begin a segment; the one before gets no more entries. @return false if there can be no more */
bool sim_graph_dictionary_renew(graph_dictionary_builder *d);
/** Has the segment served so many operations of this form that it was worth its entries? */
bool sim_graph_dictionary_pays(const graph_dictionary_builder *d, graph_form form);
/**
 * The entry of an operation, found or, as long as there are less than @p limit, made; else
 * GRAPH_MAX_ENTRIES. First is looked whether it is entry @p guess: ranks are often alike.
 */
uint32_t sim_graph_dictionary_desc(graph_dictionary_builder *d, const graph_desc_key *key,
                                   uint32_t guess, uint32_t limit);
/** The entry of successors, or GRAPH_MAX_ENTRIES. */
uint32_t sim_graph_dictionary_shape(graph_dictionary_builder *d, const graph_shape_key *key);

graph_dictionary_mark sim_graph_dictionary_mark(const graph_dictionary_builder *d);
/** Forget what came after @p mark, of the same segment. */
void sim_graph_dictionary_undo(graph_dictionary_builder *d, const graph_dictionary_mark *mark);
