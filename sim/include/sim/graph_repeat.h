/* sim/graph_repeat.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A stored program on more ranks and for longer, without storing more of it. Of H ranks, rank r of
 * copy e is rank r + e H; its messages stay within the copy, so that copies do not wait for each
 * other. Every rank goes through its operations several times: its next pass begins when all
 * operations of the pass before have finished. A rank waits for no other rank between two passes.
 *
 * That is the program with all copies and passes written out: operation i of a rank of n
 * operations is number i + k n in pass k, counted from 0, and every operation of pass k + 1 that
 * depends on nothing in its pass requires all of pass k. Runs of both are the same, instant by
 * instant. Messages of two passes that look alike are told apart by MPI's rule that they do not
 * overtake each other; so a receive from any source, or with any tag, may meet a message of a rank
 * that is a pass ahead, as it may in a program that has a loop.
 */
#pragma once

#include "sim/graph.h"

#include <glib.h>

G_BEGIN_DECLS

/**
 * @param graph  borrowed: must outlive the program
 * @param copies, passes  at least 1
 * @return owned by the caller (sim_program_free()); NULL with SIM_ERROR_BAD_PROGRAM if there are
 *   more ranks, or operations of one rank, than can be numbered in 32 bits
 */
sim_program *sim_graph_repeat_new(const sim_graph *graph, uint32_t copies, uint32_t passes,
                                  GError **error);
/** Bytes that such a program of @p num_ranks ranks and a run of it take, beside the graph. */
size_t sim_graph_repeat_memory(uint32_t num_ranks);

G_END_DECLS
