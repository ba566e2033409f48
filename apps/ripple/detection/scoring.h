/* apps/ripple/detection/scoring.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Samples of a whole run into a scorer. */
#pragma once

#include "detection/run_input.h"
#include "noise/interference.h"

/** Points of the course of a signal that are kept for a page. */
enum { APP_SCORING_COURSE = 256 };

/**
 * Score @p calls.
 * @param nodes  [num_ranks], or NULL
 * @param course points of ILS over time to keep for each rank and sequence; 0: none
 * @return finished; to be freed by noise_interference_scorer_free(); NULL with an error
 */
noise_interference_scorer *app_scoring(const noise_interference_model *model,
                                       const app_run_calls *calls, const uint32_t *nodes,
                                       uint32_t course, GError **error);
