/* bench/sc10/recorded/shares.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Where the time of all ranks goes in a run of a record without noise.
 */
#pragma once

#include "sim/graph.h"
#include "sim/machine.h"

typedef struct sc10_shares {
    sim_time makespan;
    double communication; /* of all ranks' time, what is no computation; of that: */
    double collectives;   /* what passes in collectives, and of that: */
    double late;          /* what passes before the last rank has come to the collective */
    size_t num_calls;     /* collectives of the whole world that rank 0 comes to, in order */
    sim_time *calls;      /* [num_calls] ps, when */
} sc10_shares;

/**
 * Run it once.
 * @param graph of a trace (sched/convert.h) whose collectives are all of the whole world; context 1
 * @return false with an error of sim_run()
 */
bool sc10_shares_of(sim_graph *graph, const sim_params *params, sc10_shares *out, GError **error);
void sc10_shares_clear(sc10_shares *shares);
