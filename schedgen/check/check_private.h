/* schedgen/check/check_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The happens-before graph as one graph of all ranks: vertices are the operations of rank 0, 1, …
 */
#pragma once

#include "check/igraph_private.h"
#include "sim/graph.h"

/**
 * Which vertex is which operation. For a receive, two instants matter: what irequires it continues
 * when it is posted, and it ends when the message is there. Where that makes a difference, the
 * posting is a vertex of its own; these follow the vertices of the operations.
 */
typedef struct check_vertices {
    const sim_graph *graph;
    uint64_t *first;  /* [num_ranks + 1] vertex of each rank's operation 0 */
    uint64_t num;     /* of operations */
    uint32_t *post;   /* [num] vertex of the posting of a receive, 0 if none; NULL: none at all */
    uint32_t *posted; /* [num_posts] the receive behind it */
    uint64_t num_posts;
} check_vertices;

void sched_check_vertices_init(check_vertices *vertices, const sim_graph *graph);
/** Give vertices to the postings that others irequire. */
void sched_check_vertices_add_posts(check_vertices *vertices);
void sched_check_vertices_clear(check_vertices *vertices);
/** O(log ranks) */
uint32_t sched_check_vertices_rank(const check_vertices *vertices, uint64_t vertex,
                                   uint32_t *index);
/** Name of the operation, given or default. Owned by the caller. */
char *sched_check_vertices_label(const check_vertices *vertices, uint64_t vertex);

/** Sends and the receives they meet. */
typedef struct check_matching {
    size_t num;     /* matched pairs without wildcards */
    uint32_t *send; /* [num] vertices, channel by channel */
    uint32_t *recv; /* [num] */
    uint64_t unmatched_sends;
    uint64_t unmatched_recvs;
    uint64_t wildcards;       /* receives from any source or of any tag, and sends of any tag */
    uint64_t first_unmatched; /* lowest vertex left over; UINT64_MAX: none */
} check_matching;

/**
 * Match sends to receives of the same (source, destination, communicator, tag), in the order of
 * their indices. What is left over meets wildcards, first fit; such pairs are counted off, but are
 * not in @p out: which message a wildcard takes is known in a run only. O(n log n), 32 bytes per
 * message.
 */
void sched_check_matching_init(check_matching *out, const check_vertices *vertices);
void sched_check_matching_clear(check_matching *matching);

/** What an edge stands for; from posting to receive it is CHECK_IREQUIRES. */
typedef enum { CHECK_REQUIRES, CHECK_IREQUIRES, CHECK_MESSAGE } check_edge_kind;

/**
 * Refuse graphs that igraph would need more than 4 GiB for.
 * @return false with SCHED_ERROR_UNSUPPORTED
 */
bool sched_check_size(const sim_graph *graph, GError **error);
/**
 * All edges in the order of their sources' ranks and indices (finish, start), then messages, then
 * those from postings.
 * Within sched_igraph_run().
 * @param kind [number of edges] check_edge_kind; owned by the caller, g_free()
 */
igraph_error_t sched_check_build(const check_vertices *vertices, const check_matching *matching,
                                 igraph_t *out, uint8_t **kind);
