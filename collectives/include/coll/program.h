/* coll/program.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * One collective, once or several times in a row, as a whole program, computed on demand: what
 * `collective:allreduce:dissemination:1B` simulates. Memory: one small state per rank.
 */
#pragma once

#include "coll/algorithm.h"
#include "sim/program.h"

#include <glib.h>

G_BEGIN_DECLS

/**
 * Every rank makes @p call (its rank field is ignored) @p repeat times, back to back.
 * Operations of a rank are numbered in the order of the steps; tag = repetition, comm = 0.
 * A run takes 64 bytes per rank, and O(log size) per operation at worst. Counts are copied and
 * hold for all ranks: gatherv recv_counts[i]: what i sends; scatterv send_counts[i]: what i
 * receives; alltoallv/w send_counts[i]: what everyone sends to i (recv_counts follow).
 * @return owned by the caller; NULL with COLL_ERROR_NOT_APPLICABLE
 */
sim_program *coll_program_new(const coll_call *call, coll_algorithm algorithm, uint32_t repeat,
                              GError **error);

G_END_DECLS
