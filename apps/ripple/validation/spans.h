/* apps/ripple/validation/spans.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How long each rank of a run that was not recorded took from MPI_Init to MPI_Finalize, and where
 * it was: what the tracer leaves with TRACER_ENV_SPAN (tracer/protocol.h).
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct app_span {
    sim_time wall;
    sim_time cpu;       /* of all threads of the process; waiting for messages is in it */
    uint64_t preempted; /* how often somebody else took its CPU */
    uint32_t node;      /* hosts in the order of their first ranks */
    uint32_t *cpus;     /* [num_cpus] that it may run on, ascending */
    size_t num_cpus;
} app_span;

typedef struct app_spans {
    uint32_t num_ranks; /* >= 1 */
    app_span *rank;     /* [num_ranks] */
    uint32_t num_nodes;
} app_spans;

/** @return owned by the caller; NULL with an error that names file and line */
app_spans *app_spans_read(const char *path, GError **error);
void app_spans_free(app_spans *spans); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_spans, app_spans_free)

/** The longest of all ranks, which began together: what a makespan is compared with. */
sim_time app_spans_wall(const app_spans *spans);

/** Can each rank have a CPU of its own, of those that it may run on? O(ranks^2 CPUs) at most. */
bool app_spans_have_room(const app_spans *spans);
/** CPUs that ranks of @p node may run on. */
size_t app_spans_num_cpus(const app_spans *spans, uint32_t node);
/** May every rank run on one CPU only? */
bool app_spans_are_pinned(const app_spans *spans);
