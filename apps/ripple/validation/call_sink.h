/* apps/ripple/validation/call_sink.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A simulated run, charged to the calls of its record: at each instant a rank computes or is in one
 * of its calls, as it was when it was recorded.
 */
#pragma once

#include "sched/rank_source.h"
#include "sched/trace.h"
#include "sim/sink.h"

/** What a rank called, in order, and what became of it. */
typedef struct app_rank_calls_made {
    uint64_t num_calls;
    uint32_t *name; /* [num_calls] in sched_trace.names */
    uint8_t *kind;  /* [num_calls] sched_call_kind */
    uint64_t
        *waited_by;  /* [num_calls] of what is posted: the call that completes it, else itself */
    uint64_t *first; /* [names] the first call of that name, if there are others; else num_calls */
    uint32_t num_ops;
    uint64_t *call; /* [num_ops] as sched_rank_ops.calls */
    uint64_t at;    /* the call that the rank is in */
    sim_time end;   /* of its last event */
    sim_time computed;
} app_rank_calls_made;

typedef struct app_call_sink {
    sim_sink sink; /* first */
    uint32_t num_ranks;
    app_rank_calls_made *rank; /* [num_ranks] */
    size_t num_names;
    double *time;       /* [num_names] ps in calls of that name, summed over the ranks */
    double *first_time; /* [num_names] of these: in the first of a rank that makes others, too */
} app_call_sink;

/** Ready for a run of @p source, the operations of @p trace. Owned by the caller; NULL with an
 * error of @p source. */
app_call_sink *app_call_sink_new(const sched_trace *trace, sched_rank_source *source,
                                 GError **error);
void app_call_sink_free(app_call_sink *sink); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_call_sink, app_call_sink_free)
/** The run is over, and rank r at @p finish[r]: what comes after its last event is its last
 * call's. */
void app_call_sink_finish(app_call_sink *sink, const sim_time *finish);
