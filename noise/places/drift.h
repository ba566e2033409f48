/* noise/places/drift.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Detours read at the rate of a clock of their own. docs/noise.md, section 4.
 *
 * On integers: a clock of rate r (units of 2^-60) has counted f(t) = floor(t r) at wall instant t.
 * The picosecond that begins at t is free if f(t) is, in the trace from the rank's offset on. So a
 * detour [a, b) takes the wall interval [g(a), g(b)), g(x) = min {t >= 0 : f(t) >= x} =
 * ceil(x / r): f never falls, so the order of detours stays, and W is monotone and additive.
 */
#pragma once

#include "sim/noise_lanes.h"

#include <glib.h>
#include <stdint.h>

/** A clock that neither gains nor loses. Rates are between half and one and a half of it. */
#define NOISE_DRIFT_TRUE (UINT64_C(1) << 60)

enum { NOISE_DRIFT_BITS = 60 };

/** f: what the clock shows at wall instant @p t >= 0. Below 1.5 * 1.5 * 2^62 < 2^64. */
static inline uint64_t noise_drift_clock(uint64_t rate, sim_time t)
{
    return (uint64_t)((sim_int128)t * rate >> NOISE_DRIFT_BITS);
}

/** g: when it shows @p x for the first time, before 0 as if it had always run; at most
 * 2 * SIM_TIME_MAX. */
static inline sim_time noise_drift_wall(uint64_t rate, sim_int128 x)
{
    const sim_int128 scaled = x * NOISE_DRIFT_TRUE;
    const sim_int128 t = x > 0 ? (scaled + rate - 1) / rate : scaled / rate; /* towards later */
    const sim_time latest = 2 * SIM_TIME_MAX;
    return t < latest ? (sim_time)t : latest;
}

/** What the clock of @p node gains: N(0, @p ppm) parts per million, at most half its rate. */
uint64_t noise_drift_rate(double ppm, uint64_t seed, uint64_t stream, uint64_t node);

/**
 * W as noise_detour_trace_finish() says it, at that rate; at NOISE_DRIFT_TRUE the same. O(detours
 * met), cannot fail.
 */
sim_time noise_drift_finish(const sim_detours *detours, uint64_t rate, sim_time offset,
                            sim_time ready, sim_time work);
