/* apps/ripple/scores/culprits.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Who disturbed ranks of a recorded run, where its node was watched (`--watch`). */
#pragma once

#include "sched/trace.h"
#include "scores/score.h"

/**
 * Name, for each disturbed rank, who took most of the CPU time that was taken from it while it was
 * disturbed. Without files of a watch in @p folder, nothing changes.
 * @param trace  the record, whose first instant is that from which the score counts
 */
void app_culprits_find(app_score *score, const sched_trace *trace, const char *folder);
