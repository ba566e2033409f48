/* apps/ripple/mining/trace_events.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The events of a recorded MPI program: computations between its calls, and its calls.
 */
#pragma once

#include "mining/waits.h"
#include "noise/call_events.h"
#include "noise/miner.h"

/** Which calls are events beside the computations between them. */
typedef enum {
    APP_CALLS_ALL,   /* all that did not wait, or of which it is known how long they waited */
    APP_CALLS_LOCAL, /* those that by definition wait for nobody: what `trace --mine` sees */
    APP_CALLS_NONE
} app_calls;

/** One event; @p event->event.rank made it. Events of a rank come in the order of time. */
typedef void app_event_take(void *data, const noise_call_event *event);

/**
 * All events of one rank.
 * @param waits of this trace; may be NULL unless all calls are wanted
 * @param functions [names of the trace] as app_trace_functions() gives them
 */
void app_trace_events(const sched_trace *trace, uint32_t rank, app_calls calls,
                      const app_waits *waits, const noise_event_function *functions,
                      app_event_take *take, void *data);

/**
 * A call as it was recorded, and what events are made of.
 * @param own  the rank in the communicator of the call; SCHED_UNKNOWN
 * @param call NULL: between @p at->enter and @p at->leave the program was not itself (its record
 *             was written out)
 */
typedef void app_call_visit(void *data, const sched_call *at, uint32_t own, const noise_call *call);

/** All calls of one rank, in the order of time; what else is as of app_trace_events(). */
void app_trace_visit(const sched_trace *trace, uint32_t rank, const app_waits *waits,
                     const noise_event_function *functions, app_call_visit *visit, void *data);

/** One per name of the trace; owned by the caller, and no longer valid than the trace. */
noise_event_function *app_trace_functions(const sched_trace *trace);

/** Give the events of all ranks to @p miner, with the names of their types. O(n log n) in calls */
void app_trace_mine(const sched_trace *trace, app_calls calls, noise_miner *miner);

/** The tick of the clock that a trace was recorded with: of what all its times are multiples. */
sim_time app_trace_tick(const sched_trace *trace);
