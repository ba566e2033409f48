/* schedgen/goal/goal_order.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Dependencies of a rank in the order in which a writer needs them. Counting sorts, stable; the
 * arrays are used again by the next rank.
 */
#pragma once

#include "sched/rank_source.h"

typedef struct goal_order {
    size_t *begin; /* [keys + 1] where the edges of each key begin */
    size_t max_begin;
    sched_edge *edge; /* all of them, sorted */
    size_t max_edges;
} goal_order;

void sched_goal_order_clear(goal_order *order);
/** By earlier operation, what waits for its end before what waits for its start: key 2i, 2i + 1. */
void sched_goal_order_by_earlier(goal_order *order, const sched_rank_ops *rank);
/** By the later one in the text of the two operations: key i. */
void sched_goal_order_by_last(goal_order *order, const goal_order *by_earlier, uint32_t num_ops);
