/* sim/graph.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A stored program: per rank a list of operations and the edges between them. "B requires A": B is
 * ready when A has finished; "B irequires A": when A has started. Edges stay within a rank.
 *
 * What operations have in common (all but the peer; a calc's duration) and what depends on them is
 * stored once for all ranks: as long as there are fewer than 65,536 different ones of each, an
 * operation with its edges takes 8 bytes. Beyond that, 16, or 40 and 4 for each edge. A run adds
 * 64 bytes per rank, and more where many operations wait for several others at a time.
 */
#pragma once

#include "sim/program.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct sim_graph sim_graph; /* immutable; a sim_program */
typedef struct sim_graph_builder sim_graph_builder;

/** @p later waits for @p earlier to start (irequires) or to finish (requires); in one rank. */
typedef struct sim_edge {
    uint32_t later;
    uint32_t earlier;
    bool start;
} sim_edge;

/** What an operation is called. */
typedef struct sim_name {
    const char *text; /* [len], no zero byte behind it */
    uint32_t len;
    uint32_t op; /* its index in the rank */
} sim_name;

/** @return owned by the caller; sim_graph_builder_finish() consumes it */
sim_graph_builder *sim_graph_builder_new(uint32_t num_ranks);
void sim_graph_builder_free(sim_graph_builder *builder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sim_graph_builder, sim_graph_builder_free)

/** Ranks may come in any order, each at most once; a rank never begun is empty. */
void sim_graph_builder_begin_rank(sim_graph_builder *builder, uint32_t rank);
/** Append an operation to the rank begun last. @return its index in the rank. Amortised O(1). */
uint32_t sim_graph_builder_add(sim_graph_builder *builder, const sim_op *op);
/** The last operation added is called @p label instead of "l<index + 1>". Copied. */
void sim_graph_builder_label(sim_graph_builder *builder, const char *label);
/** @p later requires @p earlier (indices in the rank begun last; any order; duplicates count). */
void sim_graph_builder_require(sim_graph_builder *builder, uint32_t later, uint32_t earlier);
void sim_graph_builder_irequire(sim_graph_builder *builder, uint32_t later, uint32_t earlier);
/**
 * All dependencies of the rank begun last at once, instead of one by one: borrowed until the
 * rank is ended, the next one is begun, or the graph is finished.
 */
void sim_graph_builder_edges(sim_graph_builder *builder, const sim_edge *edges, size_t n);
/** The same with all its operations. */
void sim_graph_builder_ops(sim_graph_builder *builder, const sim_op *ops, size_t n);
/**
 * The same with all names that are not "l<index + 1>", in the order of the operations. Their text
 * is borrowed as long.
 */
void sim_graph_builder_names(sim_graph_builder *builder, const sim_name *names, size_t n);
/**
 * The names are those of the rank that was ended before, of the ranks that have operations, of
 * which this one has as many: they are stored once. O(1)
 */
void sim_graph_builder_names_again(sim_graph_builder *builder);
/**
 * Nothing more comes of the rank begun last; what was borrowed for it no longer is.
 * @return false once something was wrong, of which the end will tell
 */
bool sim_graph_builder_end_rank(sim_graph_builder *builder);

/**
 * Check (peers < num_ranks, sizes, cpu and nic <= 254) and freeze. O(operations + edges). Cycles
 * are not searched for here: a run reports them, and so does schedgen's check.
 * @return owned by the caller; NULL with SIM_ERROR_BAD_PROGRAM naming rank, label and value
 */
sim_graph *sim_graph_builder_finish(sim_graph_builder *builder, GError **error);

static inline sim_program *sim_graph_program(sim_graph *graph)
{
    return (sim_program *)graph;
}
/** The graph behind @p program, or NULL if it is not a stored graph. */
const sim_graph *sim_graph_of(const sim_program *program);
void sim_graph_free(sim_graph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sim_graph, sim_graph_free)

uint32_t sim_graph_num_ranks(const sim_graph *graph);
uint32_t sim_graph_num_ops(const sim_graph *graph, uint32_t rank);
uint64_t sim_graph_total_ops(const sim_graph *graph);
uint64_t sim_graph_total_edges(const sim_graph *graph);
sim_op sim_graph_op(const sim_graph *graph, uint32_t rank, uint32_t index);
/** The name that an operation was given, or NULL where it is the default "l<index + 1>". */
const char *sim_graph_label(const sim_graph *graph, uint32_t rank, uint32_t index);
/**
 * Operations that require @p index, in the order the edges were added: each is index + step[k],
 * modulo 2^32. Borrowed.
 */
const uint32_t *sim_graph_finish_steps(const sim_graph *graph, uint32_t rank, uint32_t index,
                                       uint32_t *n);
/** Operations that irequire @p index, in the same way. Borrowed. */
const uint32_t *sim_graph_start_steps(const sim_graph *graph, uint32_t rank, uint32_t index,
                                      uint32_t *n);
/**
 * Lay the operations of 64 ranks and more out as runs through many ranks read them: fewer of their
 * looks miss the caches of page tables (bench/README.md). What was built is laid out so already;
 * for a graph that is mapped this copies it, once, into memory. Not while anything else looks at
 * the graph. What it says stays the same, and so do the bytes that it is saved as. O(operations).
 */
void sim_graph_weave(sim_graph *graph);
/** Bytes held. */
size_t sim_graph_memory(const sim_graph *graph);
/** Bytes that a run adds, of the program alone. */
size_t sim_graph_cursor_memory(const sim_graph *graph);

G_END_DECLS
