/* apps/ripple/program/expand.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "coll/algorithm.h"
#include "sched/rank_source.h"

/**
 * The program of coll_program_new(), one rank after the other: for schedule files and checks.
 * Holds the operations of one rank; counts of @p call are borrowed.
 * @return owned by the caller; NULL with COLL_ERROR_NOT_APPLICABLE
 */
sched_rank_source *app_expand_new(const coll_call *call, coll_algorithm algorithm, uint32_t repeat,
                                  GError **error);
void app_expand_free(sched_rank_source *source); /* NULL is a no-op */
