/* bench/heap_ops.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The operations of all ranks in one array, as plainly as heap_engine.c wants them: each with its
 * successors and with what its state in a run is.
 */
#pragma once

#include "sim/graph.h"

typedef struct heap_op {
    sim_op op;
    sim_time ready;
    uint32_t rank;
    uint32_t index;
    uint32_t waits;   /* for so many others */
    uint32_t message; /* a receive: matched with; a send: its message */
    uint32_t next;    /* a receive: in the list of its rank */
    uint32_t edge;    /* its successors: first those that require it */
    uint32_t middle;  /* from here on those that irequire it, to the edge of the next operation */
} heap_op;

typedef struct heap_ops {
    heap_op *op; /* [num + 1] the last one only ends the edges of the one before */
    size_t num;
    uint32_t *edge;              /* of all: index of the successor */
    uint32_t num_cpus, num_nics; /* per rank */
} heap_ops;

/** Owned by the caller: heap_ops_clear(). O(operations and edges). */
heap_ops heap_ops_load(const sim_graph *graph);
void heap_ops_clear(heap_ops *ops);
