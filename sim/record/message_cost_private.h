/* sim/record/message_cost_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The parameters that messages take, by their level, and what a message of a size costs: each byte
 * after the first takes G on the wire and O on the CPU. That is two 128-bit products, so the sizes
 * met last are kept.
 */
#pragma once

#include "sim/levels.h"
#include "sim/machine.h"

/* docs/model.md, section 10. */
typedef enum { MESSAGE_NETWORK, MESSAGE_NODE, MESSAGE_LEVELS } message_level;

/** The parameters of each level; those of the node only if @p levels has them, else all zero. */
static inline void message_levels_of(const sim_params *params, const sim_levels *levels,
                                     sim_level out[MESSAGE_LEVELS])
{
    out[MESSAGE_NETWORK] = (sim_level){.L = params->L,
                                       .o = params->o,
                                       .g = params->g,
                                       .G = params->G,
                                       .O = params->O,
                                       .S = params->S,
                                       .H = params->H};
    out[MESSAGE_NODE] = levels != NULL && levels->has_node ? levels->node : (sim_level){0};
}

typedef struct message_cost {
    int64_t size;
    sim_time G;     /* b·G */
    sim_time O;     /* b·O */
    sim_time delay; /* max(b·G - b·O, 0) */
} message_cost;

#define MESSAGE_COSTS 64U /* kept; a power of two */

typedef struct message_costs {
    sim_rate G;
    sim_rate O;
    message_cost kept[MESSAGE_COSTS];
} message_costs;

/* @p costs [MESSAGE_LEVELS] */
static inline void message_costs_init(message_costs *costs, const sim_level level[MESSAGE_LEVELS])
{
    for (unsigned l = 0; l < MESSAGE_LEVELS; l++) {
        costs[l].G = level[l].G;
        costs[l].O = level[l].O;
        for (unsigned i = 0; i < MESSAGE_COSTS; i++) {
            costs[l].kept[i].size = -1;
        }
    }
}

static inline message_cost message_cost_calculate(const message_costs *costs, int64_t size)
{
    const int64_t b = size > 1 ? size - 1 : 0;
    const sim_time gap = sim_rate_times(costs->G, b);
    const sim_time overhead = sim_rate_times(costs->O, b);
    return (message_cost){
        .size = size, .G = gap, .O = overhead, .delay = gap > overhead ? gap - overhead : 0};
}

/** Valid until the next call. */
static inline const message_cost *message_cost_of(message_costs *costs, int64_t size)
{
    const uint64_t hash = (uint64_t)size * UINT64_C(0x9e3779b97f4a7c15);
    message_cost *cost = &costs->kept[hash >> 58];
    if (__builtin_expect(cost->size != size, 0)) {
        *cost = message_cost_calculate(costs, size);
    }
    return cost;
}
