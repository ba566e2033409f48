/* sched/convert.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From a recorded program to a happens-before graph: point-to-point calls become operations,
 * collectives are expanded into chains of messages, the time between calls becomes computation,
 * and the whole is repeated K times. docs/conversion.md.
 */
#pragma once

#include "coll/algorithm.h"
#include "sched/error.h"
#include "sched/rank_source.h"
#include "sched/trace.h"
#include "sim/call_cost.h"
#include "sim/cold_cost.h"
#include "sim/graph.h"

#include <glib.h>

G_BEGIN_DECLS

typedef enum { SCHED_COMPUTE_CPU, SCHED_COMPUTE_WALL } sched_compute;
typedef enum { SCHED_ROOT_GLOBAL, SCHED_ROOT_PER_COPY } sched_root_policy;
typedef enum { SCHED_WILDCARD_KEEP, SCHED_WILDCARD_RECORDED } sched_wildcard;

#define SCHED_MAX_REPEAT 65535

/** A way to have the record on more ranks but by copies (sched/regrid.h). */
typedef struct sched_growth sched_growth;

typedef struct sched_convert_options {
    sim_rate reduce;             /* CPU time per byte of reduction work */
    const coll_profile *profile; /* NULL: sc10 */
    const sim_call_cost *calls;  /* [SIM_NUM_CALLS] of blocking collectives; NULL: none; borrowed */
    const sim_cold_cost *cold;   /* of calls after a computation; NULL: none; borrowed */
    const sched_growth *growth;  /* borrowed; copies and roots have no effect; NULL: copies */
    uint64_t resample_seed;
    uint32_t copies;          /* K >= 1: rank h of copy e becomes h + H e */
    uint32_t repeat;          /* every rank repeats its record this often; 0: once */
    sched_compute compute;    /* CPU: falls back to wall clock where no CPU time is recorded */
    sched_root_policy roots;  /* of collectives over the whole world when K > 1 */
    sched_wildcard wildcards; /* keep MPI_ANY_*, or replay what the record says came */
    bool resample; /* ranks beyond the record compute what it has in another order, not the same */
    bool no_p2p;   /* leave out point-to-point; its time counts as compute */
    bool no_collectives; /* leave out collectives; their time counts as compute */
} sched_convert_options;

/** What the conversion found; zeroed by the caller, filled by the conversion. */
typedef struct sched_convert_report {
    uint64_t calls;       /* converted calls of one copy */
    uint64_t p2p;         /* messages sent by point-to-point calls, one copy */
    uint64_t collectives; /* calls of collectives, one copy */
    sim_time compute;     /* sum over the ranks of one copy */
    GArray *notices;      /* of sched_notice: what was dropped, assumed, inferred; may be NULL */
} sched_convert_report;
void sched_convert_report_clear(sched_convert_report *report);

/**
 * Convert. A message that no rank receives, a request that is never completed and the like are
 * errors. O(operations).
 * @return owned by the caller; NULL with SCHED_ERROR
 */
sim_graph *sched_convert(const sched_trace *trace, const sched_convert_options *options,
                         sched_convert_report *report, GError **error);

/**
 * The same operations and dependencies, one rank after the other, for writers. Holds the record and
 * the operations of one rank.
 * @param trace    borrowed, and so is the profile of @p options: both must outlive it
 * @return owned by the caller; NULL with SCHED_ERROR
 */
sched_rank_source *sched_convert_source_new(const sched_trace *trace,
                                            const sched_convert_options *options,
                                            sched_convert_report *report, GError **error);
void sched_convert_source_free(sched_rank_source *source); /* NULL is a no-op */

G_END_DECLS
