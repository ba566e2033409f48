/* tests/sim/judge_terms.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The judge's own reading of docs/model.md, sections 1 and 10: what a message between two ranks
 * takes.
 */
#pragma once

#include "judge.h"

static int64_t b_of(int64_t size)
{
    return (size > 1 ? size : 1) - 1;
}

static sim_time bG(const sim_params *p, int64_t size)
{
    return sim_rate_times(p->G, b_of(size));
}

static sim_time bO(const sim_params *p, int64_t size)
{
    return sim_rate_times(p->O, b_of(size));
}

/* 1: messages between the two take the parameters of the node, and its interfaces. */
static unsigned level_of(const judge_levels *l, uint32_t a, uint32_t b)
{
    return l != NULL && l->has_node && l->node[a] == l->node[b] ? 1 : 0;
}

static sim_params parameters_of(const sim_params *network, const judge_levels *l, uint32_t a,
                                uint32_t b)
{
    sim_params p = level_of(l, a, b) == 1 ? l->within : *network;
    if (l != NULL && l->node[a] != l->node[b]) {
        p.L += l->distance[l->node[a] * l->num_nodes + l->node[b]];
    }
    return p;
}
