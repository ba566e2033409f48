/* tests/sim/engine/small_run.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Small programs for tests of the engine, and a run that must succeed.
 */
#pragma once

#include "check.h"
#include "sim/graph.h"
#include "sim/run.h"

static inline uint32_t small_add(sim_graph_builder *b, sim_op_type type, uint32_t peer,
                                 int64_t size, uint32_t tag)
{
    const sim_op op = {.type = (uint8_t)type, .peer = peer, .size = size, .tag = tag};
    return sim_graph_builder_add(b, &op);
}

static inline sim_result *small_run(sim_graph *graph, const sim_params *params,
                                    const sim_run_options *options)
{
    g_autoptr(GError) error = NULL;
    sim_result *result = sim_run(sim_graph_program(graph), params, options, &error);
    CHECK(result != NULL, "%s", error != NULL ? error->message : "");
    return result;
}

/* Rank 0 computes, then sends one message; rank 1 computes, then receives it. */
static inline sim_graph *small_one_message(sim_time before_send, sim_time before_receive,
                                           int64_t size)
{
    sim_graph_builder *b = sim_graph_builder_new(2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        sim_graph_builder_begin_rank(b, rank);
        small_add(b, SIM_OP_CALC, 0, rank == 0 ? before_send : before_receive, 0);
        small_add(b, rank == 0 ? SIM_OP_SEND : SIM_OP_RECV, 1 - rank, size, 0);
        sim_graph_builder_require(b, 1, 0);
    }
    return sim_graph_builder_finish(b, NULL);
}
