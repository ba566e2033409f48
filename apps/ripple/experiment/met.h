/* apps/ripple/experiment/met.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How many detours a run meets: what a slowdown stands on.
 */
#pragma once

#include "experiment/mode.h"
#include "options/noise_options.h"

/**
 * Detours of one component that a run meets, on average: the time the run lasts over the mean time
 * between detours. Those are counted, too, that strike a rank while it waits.
 */
typedef struct app_met {
    double by_rank; /* by one rank that it strikes */
    double by_run;  /* by all of them; one that strikes several ranks at once (of a node, or
                     * co-scheduled) is counted once */
    double share;   /* of the CPU time of a rank that it strikes */
    double most;    /* that it can add to the slowdown, if every detour held up all ranks for its
                     * whole length: nodes · length / interval unsynchronized, length / interval
                     * co-scheduled */
    uint32_t ranks; /* that it strikes */
} app_met;

/** How many of @p num_ranks ranks the component strikes. O(ranges). */
uint32_t app_met_ranks(const noise_component *component, uint32_t num_ranks);
/**
 * Of each component, in the order of the signature.
 * @param lasts ps, of one run
 * @return [noise_signature_num_components()] owned by the caller
 */
app_met *app_met_of(const app_noise *noise, app_mode mode, uint32_t num_ranks, double lasts);
