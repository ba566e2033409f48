/* noise/tail.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How well a measurement knows its longest detours. docs/noise.md, section 5.
 *
 * A detour is of the *tail* if fewer than five of the measured ones are at least half as long: how
 * often such detours come is then known worse than to a factor of three (five events of a Poisson
 * process: 1.6 to 11.7 were to be expected, at 95 %), and what longer ones there are is not known.
 */
#pragma once

#include "noise/detour_trace.h"
#include "sim/time.h"

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

enum { NOISE_TAIL_ENOUGH = 5 }; /* so often seen, a detour is known */

typedef struct noise_tail {
    uint32_t count;    /* detours of the tail, 0..4; 0: every length was seen often enough */
    sim_time longest;  /* ps; 0: no tail */
    sim_time shortest; /* ps, of the tail; a detour of half that length was seen five times or more,
                        * or there are fewer than five detours at all */
    sim_time measured; /* ps of CPU time in which they were seen: all runs together */
} noise_tail;

/** Of all detours in one period of @p trace. O(n). */
noise_tail noise_tail_of(const noise_detour_trace *trace);

typedef struct noise_tail_reach {
    double lived;    /* ps of CPU time that the run lives under this noise: ranks * length */
    double expected; /* detours of the tail that it meets, if they come as often as measured */
    double
        every; /* ps of simulated time between two of them, over all its ranks; infinite: no tail */
    double needed; /* ps of CPU time to be measured, on all measured CPUs together, so that what
                    * the run meets once is seen five times */
} noise_tail_reach;

/**
 * What a run asks of the tail of a measurement.
 * @param ranks  that meet detours on their own: those struck; 1 where all meet the same ones
 * @param length ps, simulated time of the run
 */
noise_tail_reach noise_tail_reach_of(const noise_tail *tail, uint32_t ranks, sim_time length);

G_END_DECLS
