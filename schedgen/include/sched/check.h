/* sched/check.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Checks on the happens-before graph, by igraph: operations are vertices; edges are dependencies
 * and matched messages (send to receive, in the order of their indices). Wildcard receives get no
 * message edge; they are subtracted from what is otherwise unmatched, first fit.
 */
#pragma once

#include "sched/error.h"
#include "sim/graph.h"
#include "sim/machine.h"

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

typedef struct sched_check_report {
    uint64_t vertices;
    uint64_t edges;
    uint64_t messages; /* matched sends and receives */
    uint64_t unmatched_sends;
    uint64_t unmatched_recvs;
    uint64_t wildcards;    /* receives (and sends of any tag) left out of the matching */
    sim_time longest_path; /* contention-free run: g = 0, all CPUs and NICs free, all eager */
    char *first_unmatched; /* a sentence about the first one, or NULL */
} sched_check_report;
void sched_check_report_clear(sched_check_report *report);

/**
 * Build the graph and look for cycles. @p params: weights of the longest path.
 * @return false with SCHED_ERROR_CYCLE (the cycle named: rank and label of each operation), or
 *   SCHED_ERROR_UNSUPPORTED if it is too large (16 bytes per vertex, 32 per edge)
 */
bool sched_check(const sim_graph *graph, const sim_params *params, sched_check_report *report,
                 GError **error);

typedef enum { SCHED_EXPORT_GRAPHML, SCHED_EXPORT_DOT } sched_export_format;
/** Write the graph, all or nothing (@p path NULL: standard output); vertices carry rank, label,
 * type, size. */
bool sched_export(const sim_graph *graph, sched_export_format format, const char *path,
                  GError **error);

G_END_DECLS
