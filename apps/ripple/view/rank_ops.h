/* apps/ripple/view/rank_ops.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The operations of one rank, without a run: with whom it talks, and how much.
 */
#pragma once

#include "sim/program.h"

typedef void app_rank_op_visit(uint32_t index, const sim_op *op, void *user);

/**
 * Call @p visit for each operation of @p rank, in an order in which they can be done, up to
 * @p most. O(operations), and what a cursor of the program takes.
 */
void app_rank_ops_visit(const sim_program *program, uint32_t rank, uint64_t most,
                        app_rank_op_visit *visit, void *user);
/** From now on operations are of @p rank. */
typedef void app_rank_begin(uint32_t rank, void *user);
/** The same of all ranks, one after the other, with one cursor. */
void app_ranks_ops_visit(const sim_program *program, app_rank_begin *begin,
                         app_rank_op_visit *visit, void *user);
/** How far away the farthest partner of @p rank is, the shorter way around a ring; 0: none. */
uint32_t app_rank_ops_distance(const sim_program *program, uint32_t rank);
/** CPU time of its first CPU, without noise and bytes' O: no run is shorter. Of its first
 * operations only, where there are many. */
sim_time app_rank_ops_work(const sim_program *program, uint32_t rank, sim_time overhead);
