/* sim/time.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Time is a signed count of picoseconds: 400 Gb/s is exactly 20 ps per byte, and the range is
 * 106 days. Inputs are capped at SIM_TIME_MAX, so four of them may be added unchecked.
 * Floating point never accumulates time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef int64_t sim_time; /* ps */
#define SIM_TIME_MAX (INT64_MAX / 4)

#define SIM_NS ((sim_time)1000)
#define SIM_US (1000 * SIM_NS)
#define SIM_MS (1000 * SIM_US)
#define SIM_S  (1000 * SIM_MS)

/**
 * Time per byte in units of 10^-6 ps, so that 0.00123 us/B is exact. 0..SIM_RATE_MAX (1 s/B).
 */
typedef int64_t sim_rate;
#define SIM_RATE_PER_PS ((sim_rate)1000000)
#define SIM_RATE_MAX    (SIM_S * SIM_RATE_PER_PS)

__extension__ typedef __int128 sim_int128;

/**
 * @p bytes (>= 0) times @p rate, rounded to the nearest ps; docs/model.md, section 1.
 * Saturates at SIM_TIME_MAX. O(1), a 128-bit product.
 */
static inline sim_time sim_rate_times(sim_rate rate, int64_t bytes)
{
    const sim_int128 product = (sim_int128)rate * bytes + SIM_RATE_PER_PS / 2;
    const sim_int128 ps = product / SIM_RATE_PER_PS;
    return ps > SIM_TIME_MAX ? SIM_TIME_MAX : (sim_time)ps;
}

G_END_DECLS
