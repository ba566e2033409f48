/* noise/places/core.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * One core with all its streams of detours. Detours that meet on it queue: the next begins when the
 * one before has ended, so none of their time is lost (as within one trace, model_draw.c).
 *
 * What is queued at an instant t is the largest of: the lengths of all detours that began in
 * s..t - 1, less t - s, over all s before t (Lindley, 1952). One looks back no further than detours
 * can pile up: noise_core.burst.
 */
#pragma once

#include "places/stream.h"

enum { NOISE_CORE_STREAMS = 5 }; /* one of each group at most */

typedef struct noise_core {
    noise_stream stream[NOISE_CORE_STREAMS];
    unsigned num_streams;
    sim_time burst; /* what is queued is never more; only of several streams */
} noise_core;

/**
 * When is the core away next? O(1) expected; of detours of a node, O(those until @p limit).
 * @param t 0..2 * SIM_TIME_MAX
 * @param end out: > t
 * @return when it is away, until @p end: before or at @p t, if it is away then; or @p limit, and
 *   @p end too, if it is not away before that
 */
sim_time noise_core_away(const noise_core *core, sim_time t, sim_time limit, sim_time *end);

/**
 * How much detours of @p detours can pile up beyond a share @p slope of the time, ps: the largest
 * sum of lengths in a row, less slope times the time in which they begin. O(n).
 * @param stretch lengths may be longer, gaps shorter by that factor, > 0: clocks drift
 */
sim_time noise_core_burst(const sim_detours *detours, double slope, double stretch);
