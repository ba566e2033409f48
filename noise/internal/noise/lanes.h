/* noise/lanes.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A signature laid over the ranks of several replicas at once. Not installed.
 */
#pragma once

#include "noise/injection.h"
#include "sim/noise_lanes.h"

typedef struct noise_lanes noise_lanes;

/**
 * May it be laid over lanes? Each rank has to see one trace from one offset on, in wall time: not
 * where unsynchronized clocks drift, with rates, with components of several places, with detours at
 * the place "node" where a node has several cores, or with several cores of a rank that are struck
 * apart. Then the engine runs each replica. O(components).
 */
bool noise_lanes_may(const noise_signature *signature, const noise_injection_options *options);

/**
 * Replicas options->replica and the @p num_lanes - 1 that follow it, as noise_injection_new() lays
 * them over the ranks. Nothing per rank where all see the same trace, else 8 bytes; the signature
 * is borrowed and must outlive it.
 * @param signature as noise_lanes_may() takes it
 * @param num_lanes 1..SIM_LANES
 * @return owned by the caller
 */
noise_lanes *noise_lanes_new(const noise_signature *signature, uint32_t num_ranks,
                             const noise_injection_options *options, unsigned num_lanes);
void noise_lanes_free(noise_lanes *lanes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_lanes, noise_lanes_free)
/** What sim_replicas_run() takes. Borrowed; NULL if no rank has noise. */
const sim_noise_lanes *noise_lanes_hook(const noise_lanes *lanes);
