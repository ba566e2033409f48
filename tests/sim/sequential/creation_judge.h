/* tests/sim/sequential/creation_judge.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What LogGOPSim computes, as slowly and plainly as its behaviour can be written down: every event
 * that waits is taken out and put back, everything is searched from the beginning. It has
 * LogGOPSim's defects, too (time that runs backwards between CPUs, sizes, zero bytes), but sorts
 * operations in a stable way, however many they are.
 */
#pragma once

#include "sim/graph.h"
#include "sim/machine.h"

typedef struct creation_outcome {
    bool left_over;      /* something waits for its partner, or never became ready */
    uint64_t num_events; /* operations that became ready, and messages */
    uint64_t postponed;  /* how often an event was put back */
} creation_outcome;

/** @param finish [ranks] */
creation_outcome creation_judge_run(const sim_graph *graph, const sim_params *params,
                                    sim_time *finish);
