/* sim/noise_lanes.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Noise of several replicas at once: the tables that say, for engines that look up by themselves,
 * when work is done (sim/noise.h, for one replica). Not installed.
 */
#pragma once

#include "sim/time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** An interval in which the CPU is away from the program. */
typedef struct sim_detour {
    sim_time start;
    sim_time end;
} sim_detour;

#define SIM_DETOURS_BEYOND 4 /* entries that may be read behind the last detour */

/** One period of detours, in order, not overlapping; it repeats. */
typedef struct sim_detours sim_detours;
struct sim_detours {
    /** [n + SIM_DETOURS_BEYOND] behind the n detours the first one, a period later; then detours
     * that never come */
    const sim_detour *at;
    size_t n;             /* > 0, < UINT32_MAX */
    sim_time period;      /* no detour lasts beyond it */
    sim_time stolen;      /* sum of all lengths, < period */
    const uint32_t *over; /* [c]: how many detours have ended when cell c of 2^shift ps begins */
    unsigned shift;
    /** [n] a detour in 8 bytes, so that many stay in a cache: below bit @p apart_bits how much
     * later the next one begins, above it the length; 0: it does not fit */
    const uint64_t *packed;
    unsigned apart_bits; /* < 64 */
    /** W for a CPU that sees the detours from @p offset (0..period) on; for work of any length. */
    sim_time (*finish)(const sim_detours *detours, sim_time offset, sim_time start, sim_time work);
};

#define SIM_LANES 8 /* replicas that are run at once: one cache line of instants */

/** Noise of several replicas: each rank sees the same detours in all, from other offsets on. */
typedef struct sim_noise_lanes sim_noise_lanes;
struct sim_noise_lanes {
    const sim_detours *same;        /* what all ranks see; NULL: see each */
    const sim_detours *const *each; /* [num_ranks] what each rank sees; an entry NULL: nothing */
    unsigned num_lanes;             /* those beyond have no noise */
    bool coscheduled;               /* all ranks see the same from the same offset on */
    /** Offsets of @p n ranks from @p first on; those of ranks without detours are not looked at. */
    void (*offsets)(const sim_noise_lanes *noise, uint32_t first, uint32_t n,
                    sim_time (*out)[SIM_LANES]);
};
