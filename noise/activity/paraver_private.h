/* noise/activity/paraver_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Numbers that the records of a Paraver trace and its names have in common.
 */
#pragma once

#include "noise/activity_trace.h"

/* States below 100: Paraver's own where it has one. */
enum {
    PARAVER_IDLE = 0,
    PARAVER_RUNNING = 1,
    PARAVER_BLOCKED = 9,
    PARAVER_PREEMPTED = 41, /* none of Paraver's own */
};

/* Types of events. */
enum {
    PARAVER_ACTIVITY = 91000001, /* the state of the program that begins; 0: it ends */
    PARAVER_PID = 91000002,      /* and at its beginning: */
    PARAVER_CPU_NS = 91000003,
    PARAVER_VOLUNTARY = 91000004,
    PARAVER_INVOLUNTARY = 91000005,
    PARAVER_UNCERTAINTY = 91000006,
    PARAVER_RUN_DELAY = 91000007,
    PARAVER_TAKEN = 91000009,  /* of a rank: the state of who has its CPU; 0: nobody any more */
    PARAVER_STOLEN = 91000010, /* us in the 100 ms that end here */
};

/** The application that is the system: the second, or the first where there are no ranks. */
static inline uint32_t paraver_system(const noise_activity_trace *trace)
{
    return trace->num_ranks > 0 ? 2 : 1;
}
