/* apps/ripple/expand.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "expand.h"

#include "coll/step.h"

/* Operations [begin, end) of a rank form a stage; the next stage requires all of them. */
typedef struct stage {
    uint32_t begin;
    uint32_t end;
} stage;

static void add_step(sim_graph_builder *builder, const coll_step *step, uint32_t tag,
                     stage *current)
{
    const bool message = step->type != SIM_OP_CALC;
    const sim_op op = {
        .size = step->size,
        .peer = message ? step->peer : 0,
        .tag = message ? tag : 0,
        .type = step->type,
    };
    const uint32_t index = sim_graph_builder_add(builder, &op);
    if (step->with_previous) {
        sim_graph_builder_irequire(builder, index, index - 1);
    } else {
        for (uint32_t i = current->begin; i < current->end; i++) {
            sim_graph_builder_require(builder, index, i);
        }
        current->begin = index;
    }
    current->end = index + 1;
}

sim_graph *app_expand_collective(const coll_call *call, coll_algorithm algorithm, uint32_t repeat,
                                 GError **error)
{
    if (!coll_algorithm_check(algorithm, call->kind, call->size, error)) {
        return NULL;
    }
    g_autoptr(sim_graph_builder) builder = sim_graph_builder_new(call->size);
    for (uint32_t rank = 0; rank < call->size; rank++) {
        coll_call own = *call;
        own.rank = rank;
        stage current = {0, 0};
        sim_graph_builder_begin_rank(builder, rank);
        for (uint32_t i = 0; i < repeat; i++) {
            coll_cursor cursor;
            coll_step step;
            coll_cursor_begin(&cursor, &own, algorithm);
            while (coll_cursor_next(&cursor, &step)) {
                add_step(builder, &step, i, &current);
            }
        }
    }
    return sim_graph_builder_finish(g_steal_pointer(&builder), error);
}
