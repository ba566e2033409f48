/* bench/heap_engine.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The engine that one would write first: one global queue of events, a 4-ary heap, and lists of
 * receives and messages that are searched from their beginnings. What cannot start yet when its
 * turn comes goes back into the queue. It is what the real engine is measured against, and it
 * checks it at sizes that the judge of the tests cannot do. Same model: docs/model.md.
 */
#pragma once

#include "sim/graph.h"
#include "sim/machine.h"
#include "sim/noise.h"

/**
 * O(events · log events), but quadratic where much waits for one processor (fan-in).
 * @param finish [ranks] set to the finish of each rank
 * @return false if something is left over in the end, or a message is too long for its receive
 */
bool heap_engine_run(const sim_graph *graph, const sim_params *params, const sim_noise *noise,
                     sim_time *finish);
