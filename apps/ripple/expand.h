/* apps/ripple/expand.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "coll/algorithm.h"
#include "sim/graph.h"

/**
 * The program of coll_program_new(), written out as a graph: for schedule files and checks.
 * O(operations). @return owned by the caller; NULL with COLL_ERROR_NOT_APPLICABLE
 */
sim_graph *app_expand_collective(const coll_call *call, coll_algorithm algorithm, uint32_t repeat,
                                 GError **error);
