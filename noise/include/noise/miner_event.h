/* noise/miner_event.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a miner is told: one event. No GLib: the tracer, which lives in other people's processes,
 * has this, too.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" { /* what G_BEGIN_DECLS says, without GLib */
#endif

typedef int64_t sim_time; /* ps; as in sim/time.h, which needs GLib */

/**
 * A stretch of work of a rank. What is mined is how long it lasted less what it waited: end - start
 * - max(waited, 0).
 */
typedef struct noise_miner_event {
    uint32_t rank;
    uint64_t type;       /* events of one type should last equally long */
    sim_time start, end; /* wall clock, start <= end */
    sim_time expected;   /* how long it lasts without noise; -1: to be found out */
    sim_time cpu;        /* CPU time it used; -1: not recorded */
    sim_time waited;     /* of end - start, for a partner that came late; 0: none; -1: not known */
    sim_time detour;     /* true length of the detour that hit it; -1: not known */
} noise_miner_event;

/** What is mined of an event, >= 0. */
static inline sim_time noise_miner_event_duration(const noise_miner_event *event)
{
    const sim_time wall = event->end - event->start;
    const sim_time waited = event->waited > 0 ? event->waited : 0;
    return waited < wall ? wall - waited : 0;
}

#ifdef __cplusplus
}
#endif
