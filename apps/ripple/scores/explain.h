/* apps/ripple/scores/explain.h — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_explain. */
/**
 * @file
 * The time line of a rank that was disturbed: the page of `ripple view --recorded`, with the
 * stretches in which its sequences were disturbed, and who was on its CPU.
 */
#pragma once

#include "sched/trace.h"
#include "scores/score.h"
#include "view/picture.h"

/**
 * @param folder in which files of a watch lie, if there was one
 * @return owned by the caller, without title and manifest
 */
app_picture *app_explain_rank(const app_score *score, uint32_t rank, const sched_trace *trace,
                              const char *folder);
