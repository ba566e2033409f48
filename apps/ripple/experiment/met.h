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
 * between detours. Those are counted, too, that strike a rank while it waits. A rate in phases is
 * met once in each phase; one that holds always has nothing to be met: its numbers are 0, but for
 * the share.
 */
typedef struct app_met {
    double by_rank; /* by one rank that it may strike; of one core of a node at a time: so many of
                     * the node's as the rank has of its cores */
    double by_run;  /* by all of them; one that strikes several cores at once (of a node, or
                     * co-scheduled) is counted once */
    double share;   /* of the CPU time of a rank that it may strike, on average */
    double most;    /* that it can add to the slowdown, if every detour held up all ranks for its
                     * whole length: cores that are struck apart · length / interval unsynchronized,
                     * length / interval co-scheduled; of a rate no more than if it always held */
    uint32_t ranks; /* that it may strike */
} app_met;

/** How many of @p num_ranks ranks the component may strike. noise_component_count_ranks() */
uint32_t app_met_ranks(const noise_component *component, const app_noise *noise,
                       uint32_t num_ranks);
/** At how many times of their own it strikes them: 1 where all are struck together. */
double app_met_phases(const noise_component *component, const app_noise *noise, app_mode mode,
                      uint32_t num_ranks);
/** Share of CPU time that it takes of a rank that it may strike, on average: a rank waits while any
 * of its cores is away. */
double app_met_share(const noise_component *component, const app_noise *noise, app_mode mode);
/**
 * Of each component, in the order of the signature.
 * @param lasts ps, of one run
 * @return [noise_signature_num_components()] owned by the caller
 */
app_met *app_met_of(const app_noise *noise, app_mode mode, uint32_t num_ranks, double lasts);
