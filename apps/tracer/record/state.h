/* apps/tracer/record/state.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the process that is recorded is, and where its record goes. Set when MPI is initialised;
 * everybody reads it.
 */
#pragma once

#include <mpi.h>
#include <otf2/otf2.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { TRACER_BEFORE, TRACER_ON, TRACER_OVER } tracer_phase;

typedef struct tracer_state {
    _Atomic tracer_phase phase;
    OTF2_EvtWriter *events;      /* NULL: nothing is recorded any more */
    OTF2_DefWriter *definitions; /* NULL: not open */
    MPI_Comm world;              /* MPI_COMM_WORLD for our own messages */
    char *dir;
    int rank;
    int size;
    bool threads;         /* MPI_THREAD_MULTIPLE: the lock is needed */
    bool paused;          /* by MPI_Pcontrol(0) */
    bool mining;          /* notes are mined … */
    bool detecting;       /* … typical sequences found in them … */
    bool archived;        /* … and written */
    int64_t clock_offset; /* of rank 0's clock to ours, ns, when we began */
    uint64_t start;
} tracer_state;
extern tracer_state tracer;

/** This thread is inside a call that is being recorded: the calls made in there are MPI's own. */
extern _Thread_local bool tracer_inside __attribute__((tls_model("initial-exec")));

/** Is this call made by the program itself, while we record? */
static inline bool tracer_outermost(void)
{
    return atomic_load_explicit(&tracer.phase, memory_order_relaxed) == TRACER_ON && !tracer_inside;
}

/** One line on stderr. */
void tracer_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Zeroed; ends the process if there is none. */
void *tracer_calloc(size_t n, size_t width);
