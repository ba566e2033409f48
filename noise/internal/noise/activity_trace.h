/* noise/activity_trace.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What was watched as a trace: ranks and CPUs over one common time, programs numbered across nodes.
 * From it the files are written that other tools show: Paraver (docs/formats.md) and Chrome's trace
 * events.
 */
#pragma once

#include "noise/activity.h"
#include "noise/activity_timeline.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

G_BEGIN_DECLS

/** A rank was off its CPU: a switch record, or, where several had the CPU meanwhile, a part of it.
 */
typedef struct noise_rank_gap {
    uint64_t out; /* ns, on the clock of the .nit file; out < in */
    uint64_t in;
    uint32_t cpu;   /* number on the node */
    uint32_t by;    /* who had the CPU: index of a thread in the .nit file; UINT32_MAX: not known */
    bool is_exact;  /* that is known to the nanosecond; else as what was seen fits best */
    bool preempted; /* it could have gone on; else it waited for something */
} noise_rank_gap;

typedef struct noise_rank_track {
    uint32_t rank;
    uint32_t node;
    uint32_t cpu;   /* number on the node where it began; UINT32_MAX: not known */
    uint64_t begin; /* ns, on the clock of the .nit file */
    uint64_t end;
    size_t num_gaps;
    const noise_rank_gap *gaps; /* [num_gaps] ascending, not overlapping, within begin .. end */
} noise_rank_track;

/** A program on any node: its number in traces is its index here. */
typedef struct noise_trace_program {
    char *name; /* with its class where two of the same name differ in it */
    noise_program_class kind;
} noise_trace_program;

typedef struct noise_activity_trace {
    const noise_activity *activity; /* borrowed */
    noise_timeline *timeline;       /* of all threads but those of ranks */
    uint64_t origin;                /* ns on the clock of the .nit file: time 0 of the trace */
    uint64_t duration;              /* ns */
    uint64_t watched;    /* ns from the origin: a longer duration has no sums beyond it */
    int64_t realtime_ns; /* of the origin, since 1970; 0: not known */
    size_t num_programs;
    noise_trace_program *programs;
    uint32_t *program_of; /* [activity->num_rows] */
    size_t num_ranks;
    noise_rank_track *ranks; /* ascending by rank; their gaps are borrowed */
} noise_activity_trace;

/**
 * @param activity borrowed, with its .nit file; lives as long as the result
 * @param ranks    [num_ranks] with their switch records; NULL: none are known, and the ranks that
 * the file names are taken to have run from their first sign to their last
 * @return owned by the caller
 */
noise_activity_trace *noise_activity_trace_new(const noise_activity *activity,
                                               const noise_rank_track *ranks, size_t num_ranks);
/** The same, where it is known exactly when threads were on CPUs. @param exact [num_exact], copied
 */
noise_activity_trace *noise_activity_trace_new_exact(const noise_activity *activity,
                                                     const noise_rank_track *ranks,
                                                     size_t num_ranks, const noise_exact *exact,
                                                     size_t num_exact);
void noise_activity_trace_free(noise_activity_trace *trace); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_activity_trace, noise_activity_trace_free)

/* ---- Paraver. Errors of writing are those of the stream: ask ferror() ---- */

#define NOISE_PARAVER_FIRST_STATE 101 /* of program 0 */

/** The records: application 1 are the ranks, the last one the system. O(n log n). */
void noise_paraver_write_prv(const noise_activity_trace *trace, FILE *out);
/** Names and colours of states and events. */
void noise_paraver_write_pcf(const noise_activity_trace *trace, FILE *out);
/** Names of CPUs, nodes and threads. */
void noise_paraver_write_row(const noise_activity_trace *trace, FILE *out);

/** A view of the trace that Paraver loads. */
typedef struct noise_paraver_view {
    const char *name;  /* of the file: "daemon-as-state" */
    const char *means; /* a line */
} noise_paraver_view;
/** Ends with a NULL name. */
extern const noise_paraver_view noise_paraver_views[];
/** @p view is an index in noise_paraver_views. The view of one daemon shows program 0. */
void noise_paraver_write_view(const noise_activity_trace *trace, size_t view, FILE *out);

/* ---- Chrome's trace events, which Perfetto shows ---- */

/** One JSON object: a process per node, a thread per CPU, a process of the ranks. */
void noise_chrome_write(const noise_activity_trace *trace, FILE *out);

G_END_DECLS
