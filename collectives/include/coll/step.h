/* coll/step.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A collective as one rank sees it: a chain of steps, computed one after the other from rank and
 * size alone. collectives.md; chains: simulation-model.md section 3a.
 */
#pragma once

#include "coll/algorithm.h"
#include "coll/kind.h"
#include "sim/program.h"

typedef struct coll_step {
    int64_t size;  /* send, recv: bytes; calc: ps */
    uint32_t peer; /* rank in the communicator */
    uint8_t type;  /* sim_op_type */
    /**
     * false: this step requires every step of the stage before it (all those since the last
     * step that was false, itself included), and opens a new stage. true: it irequires the step
     * right before it, in the same stage (the receive of an exchange).
     */
    bool with_previous;
} coll_step;

/** Where a rank stands in a collective. Plain data: copy it, keep it by value. */
typedef struct coll_cursor {
    coll_call call;
    coll_algorithm algorithm;
    uint32_t phase;    /* of a composition: reduce, then bcast */
    uint32_t position; /* within the phase; what it counts is the algorithm's own affair */
    uint32_t sub;      /* within one position: send, receive, calc */
} coll_cursor;

/** Begin. @p algorithm must be applicable to the call: coll_algorithm_check(). O(1). */
void coll_cursor_begin(coll_cursor *cursor, const coll_call *call, coll_algorithm algorithm);

/** The next step. @return false when the rank is through. O(1), O(log size) at worst, no memory. */
bool coll_cursor_next(coll_cursor *cursor, coll_step *step);
