/* sched/rank_source.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A program rank by rank, as the writers of schedules read it. They hold one rank at a time, so
 * that a program need not be stored as a whole to be written.
 */
#pragma once

#include "sim/graph.h"

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

typedef sim_edge sched_edge;

/** An operation computes before the call that is named beside it. */
#define SCHED_OP_COMPUTES (UINT64_C(1) << 63)

/** All that one rank does. */
typedef struct sched_rank_ops {
    const sim_op *ops;
    uint32_t num_ops;
    const sched_edge *edges; /* any order; those of one operation keep theirs */
    size_t num_edges;
    /* [num_ops] of which call of the rank's record each is: its index, which goes on through
     * repetitions of the record; NULL: there is no record. */
    const uint64_t *calls;
} sched_rank_ops;

typedef struct sched_rank_source sched_rank_source;
struct sched_rank_source {
    uint32_t num_ranks;
    /**
     * Called for all ranks in ascending order, and for all of them again in each pass; every pass
     * gets the same. What @p out points to is borrowed until the next call.
     */
    bool (*get)(sched_rank_source *source, uint32_t rank, sched_rank_ops *out, GError **error);
};

/** The source of a stored graph, which must outlive it. Does not fail. */
typedef struct sched_graph_source {
    sched_rank_source source; /* first: a pointer to it is a pointer to this */
    const sim_graph *graph;
    sim_op *ops; /* of the rank asked for last */
    size_t max_ops;
    sched_edge *edges;
    size_t max_edges;
} sched_graph_source;

void sched_graph_source_init(sched_graph_source *source, const sim_graph *graph);
void sched_graph_source_clear(sched_graph_source *source);

/**
 * The source of a stored graph, which must outlive it, in copies side by side and passes one after
 * the other: the program of sim_graph_repeat_new() (sim/graph_repeat.h), which must be possible,
 * written out. Holds one rank in all passes. Operations have no names but their numbers. Does not
 * fail.
 */
typedef struct sched_repeat_source {
    sched_rank_source source; /* first: a pointer to it is a pointer to this */
    sched_graph_source own;   /* of the graph */
    uint32_t passes;
    sim_op *ops; /* of the rank asked for last */
    size_t max_ops;
    sched_edge *edges;
    size_t max_edges;
} sched_repeat_source;

void sched_repeat_source_init(sched_repeat_source *source, const sim_graph *graph, uint32_t copies,
                              uint32_t passes);
void sched_repeat_source_clear(sched_repeat_source *source);
/**
 * How many edges lead from a pass to the next: what ends a pass times what begins one. O(operations
 * and edges).
 * @param most  of a rank, in all passes
 * @return of all ranks of one copy, in all passes
 */
double sched_repeat_count_joins(const sim_graph *graph, uint32_t passes, double *most);

/** Append the rank to @p builder. @return as sim_graph_builder_end_rank() */
bool sched_rank_ops_build(const sched_rank_ops *ops, uint32_t rank, sim_graph_builder *builder);
/**
 * Append all ranks of @p source, up to one that @p builder finds something wrong with, of which the
 * end will tell. @return false with the source's error
 */
bool sched_rank_source_build_in(sched_rank_source *source, sim_graph_builder *builder,
                                GError **error);
/** Store all of @p source. @return owned by the caller; NULL with SIM_ERROR, or the source's */
sim_graph *sched_rank_source_build(sched_rank_source *source, GError **error);

G_END_DECLS
