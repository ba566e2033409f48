/* sim/result.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The result of a run: when each rank has finished, and where the time went.
 */
#pragma once

#include "sim/departure.h"
#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

/**
 * Where the makespan went, along its critical path; the parts sum up to the makespan.
 * Noise that hit the rank that finishes last is its own; noise that hit any other rank on the
 * path reached it as waiting for a noise-delayed peer.
 */
typedef struct sim_breakdown {
    sim_time compute;
    sim_time o;
    sim_time O;
    sim_time L;          /* with what distance adds to it */
    sim_time gap;        /* g and G: waiting for the network interface, bytes on the wire */
    sim_time node;       /* messages within a node, if they have a level of their own: all of the
                            above of theirs, which is in none of the others */
    sim_time peer_noise; /* waiting for a noise-delayed peer */
    sim_time noise;      /* own noise */
} sim_breakdown;

/**
 * A stretch of the critical path: what one operation accounts for (a send: until the message, or on
 * a busy interface the next one, is through). Latest first; each starts where the next in the list
 * finishes, the first finishes at the makespan, the last starts at 0.
 */
typedef struct sim_result_stretch {
    uint32_t rank;
    uint32_t op;
    uint8_t type; /* sim_op_type */
    sim_time start;
    sim_time finish;
    sim_time noise; /* part of finish - start that is noise */
} sim_result_stretch;

typedef struct sim_result {
    uint32_t num_ranks;
    sim_time *finish; /* [num_ranks] latest finish of each rank's operations */
    sim_time makespan;
    uint32_t makespan_rank; /* the lowest rank that finishes at the makespan */
    uint64_t num_ops;
    uint64_t num_messages;
    /** SIM_ORDER_CREATION: by sim_departure_kind, where LogGOPSim's times may be others. */
    sim_departure departure[SIM_NUM_DEPARTURES];
    bool explained; /* breakdown and path are there: sim_run_options.explain was set */
    /** How many ranks were simulated, which stand for all; then there is no path. 0: all were. */
    uint32_t representatives;
    /** How many passes were simulated, where others are known from them. 0: all were. */
    uint32_t simulated_passes;
    sim_breakdown breakdown;
    size_t path_len;
    sim_result_stretch *path; /* [path_len] critical path, from the end to the beginning */
} sim_result;

/** NULL is a no-op. */
void sim_result_free(sim_result *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sim_result, sim_result_free)

G_END_DECLS
