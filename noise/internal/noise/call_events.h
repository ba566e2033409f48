/* noise/call_events.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From the calls of a rank to the events that are mined: the code between two calls, and the time
 * inside a call unless it may have waited for others and nobody knows for how long. The tracer and
 * what reads its traces both go through here, so that they mine the same. No GLib. Not installed.
 */
#pragma once

#include "noise/event_type.h"
#include "noise/miner_event.h"

/** A call as it was recorded. Times in ps, of one clock. */
typedef struct noise_call {
    const noise_event_function *function; /* must outlive the next call */
    int64_t bytes, distance;              /* as in noise_event_call_of() */
    sim_time enter, leave;
    sim_time cpu;        /* CPU time of the computation before it; -1: not recorded */
    sim_time cpu_inside; /* CPU time from enter to leave; -1: not recorded */
    sim_time waited; /* part of leave - enter in which a partner had not come yet; -1: not known */
    uint64_t completed; /* requests, by functions that test */
} noise_call;

/** Of one rank; zeroed before its first call. */
typedef struct noise_call_events {
    uint32_t rank;
    bool begun;            /* there is a call before */
    noise_event_call last; /* that one */
    sim_time leave;        /* of it: where the computation begins */
} noise_call_events;

/** What is made of a call. */
typedef struct noise_call_event {
    noise_miner_event event;
    noise_event_call before; /* computations only */
    noise_event_call call;   /* the call itself, or the one that ends the computation */
} noise_call_event;

/**
 * The next call of the rank.
 * @param local_only leave out the time inside calls that may wait for others, even where it is
 * known
 * @param out        the computation before it, and the call, in this order
 * @return how many of them there are
 */
int noise_call_events_take(noise_call_events *state, const noise_call *call, bool local_only,
                           noise_call_event out[2]);

/**
 * The rank did something else from @p enter to @p leave that is neither computation nor call (its
 * record was written out): what it computes goes on afterwards. If it had begun to compute before
 * @p enter, that computation is no event.
 */
void noise_call_events_skip(noise_call_events *state, sim_time enter, sim_time leave);

/** The name of the event's type. */
void noise_call_event_name(const noise_call_event *event, char out[NOISE_EVENT_NAME_BYTES]);
