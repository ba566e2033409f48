/* coll/step.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a collective is made of on one rank: a chain of steps, computed one after the other from
 * rank and size alone (coll/walk.h). docs/collectives.md, section 1.
 */
#pragma once

#include "sim/program.h"

typedef struct coll_step {
    int64_t size;  /* send, recv: bytes; calc: ps */
    uint32_t peer; /* rank in the communicator */
    uint8_t type;  /* sim_op_type */
    /**
     * false: this step opens a new stage, and requires every step of the stage before (that stage
     * began with the last step for which this was false). true: it irequires the step right before
     * it, in the same stage (the receive of an exchange).
     */
    bool with_previous;
} coll_step;
