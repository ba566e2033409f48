/* apps/tracer/calls/timed.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls that are not converted: by name and time, so that their time is not taken for computation
 * without a word, and what the library does inside is not recorded as calls of the program.
 * functions.txt lists them; functions.awk takes their prototypes from mpi.h.
 */
#include "calls/entry.h"
#include "calls/prototypes.h"
#include "record/record.h"

// NOLINTBEGIN(bugprone-macro-parentheses): PARAMS and ARGS are lists with their parentheses
#define TIMED(NAME, SYMBOL, PARAMS, ARGS)                                                          \
    TRACER_WRAP_AS(NAME, SYMBOL, PARAMS, ARGS)                                                     \
    {                                                                                              \
        tracer_call c;                                                                             \
        tracer_enter(&c);                                                                          \
        const int rc = real_##NAME() ARGS;                                                         \
        tracer_leave(&c);                                                                          \
        tracer_plain(&c, REGION_##NAME);                                                           \
        return rc;                                                                                 \
    }
TRACER_TIMED(TIMED)

#define POLLS(NAME, SYMBOL, PARAMS, ARGS, FLAG)                                                    \
    TRACER_WRAP_AS(NAME, SYMBOL, PARAMS, ARGS)                                                     \
    {                                                                                              \
        tracer_call c;                                                                             \
        tracer_enter(&c);                                                                          \
        const int rc = real_##NAME() ARGS;                                                         \
        tracer_leave(&c);                                                                          \
        if (rc == MPI_SUCCESS && !*(FLAG)) {                                                       \
            tracer_poll(&c, REGION_##NAME);                                                        \
        } else {                                                                                   \
            tracer_plain(&c, REGION_##NAME);                                                       \
        }                                                                                          \
        return rc;                                                                                 \
    }
TRACER_POLLS(POLLS)
// NOLINTEND(bugprone-macro-parentheses)
