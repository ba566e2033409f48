/* apps/tracer/calls/entry.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How the program's calls come in here, and go on to MPI. A wrapper reads
 *
 *     TRACER_WRAP(Send, (parameters), (arguments))
 *     {
 *         tracer_call c;
 *         tracer_enter(&c);            clocks; calls made inside this one are not recorded
 *         int rc = real_Send()(...);
 *         tracer_leave(&c);            clock; takes the lock of the notes
 *         tracer_attr_...              what belongs to the Enter
 *         tracer_open(&c, REGION_Send);
 *         tracer_put_...               records in the call
 *         tracer_close();              Leave; gives the lock back
 *         return rc;
 *     }
 */
#pragma once

#include "record/state.h"

#define TRACER_EXPORT __attribute__((visibility("default")))

/** Is the caller one of MPI's Fortran bindings, which call the PMPI entry of the C function? */
bool tracer_from_fortran(const void *caller);
/** The next definition of a symbol behind ours; ends the process if there is none. */
void *tracer_next(const char *symbol);

/**
 * One MPI function: its MPI_ and PMPI_ entry, which call trace_NAME for calls of the program and
 * the library's own function, real_NAME(), otherwise. The body of trace_NAME follows. NAME may be
 * a macro that makes the name (large_count.h).
 */
// NOLINTBEGIN(bugprone-macro-parentheses): PARAMS and ARGS are lists with their parentheses
#define TRACER_REAL(NAME, SYMBOL, PARAMS)                                                          \
    typedef int(*NAME##_function) PARAMS;                                                          \
    static NAME##_function real_##NAME(void)                                                       \
    {                                                                                              \
        static _Atomic(NAME##_function) known;                                                     \
        NAME##_function f = atomic_load_explicit(&known, memory_order_relaxed);                    \
        if (f == NULL) {                                                                           \
            f = (NAME##_function)tracer_next("P" #SYMBOL);                                         \
            atomic_store_explicit(&known, f, memory_order_relaxed);                                \
        }                                                                                          \
        return f;                                                                                  \
    }
#define TRACER_WRAP_AS(NAME, SYMBOL, PARAMS, ARGS)                                                 \
    TRACER_REAL(NAME, SYMBOL, PARAMS)                                                              \
    static int trace_##NAME PARAMS;                                                                \
    TRACER_EXPORT int SYMBOL PARAMS                                                                \
    {                                                                                              \
        return tracer_outermost() ? trace_##NAME ARGS : real_##NAME() ARGS;                        \
    }                                                                                              \
    TRACER_EXPORT int P##SYMBOL PARAMS                                                             \
    {                                                                                              \
        return tracer_outermost() && tracer_from_fortran(__builtin_return_address(0))              \
                   ? trace_##NAME ARGS                                                             \
                   : real_##NAME() ARGS;                                                           \
    }                                                                                              \
    static int trace_##NAME PARAMS
#define TRACER_WRAP_NAMED(NAME, PARAMS, ARGS) TRACER_WRAP_AS(NAME, MPI_##NAME, PARAMS, ARGS)
#define TRACER_WRAP(NAME, PARAMS, ARGS)       TRACER_WRAP_NAMED(NAME, PARAMS, ARGS)
// NOLINTEND(bugprone-macro-parentheses)
