/* tests/sim/judge.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A slow, obvious simulator, written from docs/model.md alone: in every
 * step it looks at everything that could happen next, computes when by definition, and lets the
 * earliest happen. The engine must agree with it on every rank. O(n²).
 */
#pragma once

#include "sim/graph.h"
#include "sim/machine.h"
#include "sim/noise.h"

typedef enum { JUDGE_SOUND, JUDGE_UNMATCHED, JUDGE_TRUNCATED } judge_verdict;

/**
 * Nodes and distance, written out: the judge computes neither from sim/levels.h, as the engine
 * does.
 */
typedef struct judge_levels {
    const uint32_t *node; /* [ranks] which node each is on */
    bool has_node;        /* messages within a node take `within` */
    sim_params within;
    uint32_t num_nodes;
    const sim_time *distance; /* [num_nodes²] what the way between two nodes adds to L */
} judge_levels;

/** @param finish [ranks] set to the finish of each rank as far as it got */
judge_verdict judge_run(const sim_graph *graph, const sim_params *params, const sim_noise *noise,
                        sim_time *finish);
/**
 * The same.
 * @param levels NULL: messages of all pairs of ranks take @p params
 * @param op_finish [operations of all ranks] when each finished; -1: it did not
 */
judge_verdict judge_run_ops(const sim_graph *graph, const sim_params *params,
                            const judge_levels *levels, const sim_noise *noise, sim_time *finish,
                            sim_time *op_finish);
