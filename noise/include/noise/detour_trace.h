/* noise/detour_trace.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Operating-system noise of one node: "detours" that steal the CPU, and a period after which
 * they repeat. Work stops during a detour and resumes right after.
 * Model: Hoefler et al., SC'10; exact rule: docs/noise.md, section 1.
 */
#pragma once

#include "noise/error.h"
#include "sim/time.h"

#include <glib.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef struct noise_detour_trace noise_detour_trace; /* immutable: share freely */

/**
 * Index @p n detours; copies its inputs. O(n).
 * @param start  [n] ps, 0..period, in order, not overlapping
 * @param length [n] ps, > 0; every detour ends by @p period
 * @param period ps, 1..SIM_TIME_MAX; the trace repeats after it; total length < period
 * @return owned by the caller; NULL with NOISE_ERROR_BAD_DETOUR naming the first offender
 */
noise_detour_trace *noise_detour_trace_new(const sim_time *start, const sim_time *length, size_t n,
                                           sim_time period, GError **error);
void noise_detour_trace_free(noise_detour_trace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_detour_trace, noise_detour_trace_free)

/**
 * When does @p work ps of CPU time, ready at @p ready (>= 0), complete for a rank that sees the
 * trace from position @p offset (0..period) on? O(1) expected, cannot fail, any length of work.
 * A detour that starts at the instant of completion does not delay it. What would lie beyond
 * 2 * SIM_TIME_MAX is returned as that.
 * @param ready 0..2 * SIM_TIME_MAX
 * @param work  0..SIM_TIME_MAX
 */
sim_time noise_detour_trace_finish(const noise_detour_trace *trace, sim_time offset, sim_time ready,
                                   sim_time work);

/**
 * The same. If no detour comes in between, *@p until becomes the instant up to which none comes;
 * else it stays as it was.
 */
sim_time noise_detour_trace_finish_until(const noise_detour_trace *trace, sim_time offset,
                                         sim_time ready, sim_time work, sim_time *until);

size_t noise_detour_trace_count(const noise_detour_trace *trace);
sim_time noise_detour_trace_period(const noise_detour_trace *trace);
sim_time noise_detour_trace_start(const noise_detour_trace *trace, size_t i);
sim_time noise_detour_trace_length(const noise_detour_trace *trace, size_t i);
/** Share of CPU time stolen, 0..1. */
double noise_detour_trace_share(const noise_detour_trace *trace);

G_END_DECLS
