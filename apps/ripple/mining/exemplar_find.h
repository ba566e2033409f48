/* apps/ripple/mining/exemplar_find.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Examples of what NoiseMiner found in a recorded run: events of each row with what went on around
 * them.
 */
#pragma once

#include "mining/exemplar.h"
#include "mining/exemplar_choice.h"

#include <stdio.h>

/**
 * Of each row the 12 most recent events, the 12 largest, and 12 that a hash of the event draws,
 * without repetition. An event belongs to the row of its rank whose t_noise is closest to what it
 * took longer than the lower quartile of its type and rank, within 15 %; that quartile is its
 * `expected`. The switches that a watch has recorded beside the trace in @p folder are drawn, too.
 * O(n log n) in calls.
 * @param folder of the trace; NULL: there are no records of switches
 * @return [*n] by row, start, rank; owned by the caller: app_exemplars_free()
 */
app_exemplar *app_exemplars_find(const sched_trace *trace, app_calls calls,
                                 const noise_miner_report *report, const char *folder, size_t *n);

/**
 * As text.
 * @param row alone, or all if it is SIZE_MAX
 */
void app_exemplars_print(const app_exemplar *exemplars, size_t n, const noise_miner_report *report,
                         size_t row, FILE *out);

/**
 * Where the events of a row were: "inside MPI_Send", if they all were inside that function, "inside
 * MPI", "in computation", or "in computation and inside MPI"; NULL: the row has no exemplars.
 * Static or interned.
 */
const char *app_exemplars_place(const app_exemplar *exemplars, size_t n, size_t row);
