/* apps/ripple/experiment/workload.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What an experiment is to do, before it does it.
 */
#pragma once

#include "experiment/experiment.h"
#include "experiment/work.h"

/** Will the replicas of this program go in lanes, where several are run without being listened to?
 * Looked up at a small size. */
bool app_workload_in_lanes(const app_experiment *experiment);
/** Of @p experiment at a size at which a run has so many operations. */
app_work app_workload_at(const app_experiment *experiment, uint32_t ranks, uint64_t num_ops,
                         bool in_lanes);
/**
 * Of @p experiment at one of its sizes, about: operations are counted on some ranks.
 * @return false with an error where the program cannot be had at that size
 */
bool app_workload_plan(const app_experiment *experiment, uint32_t ranks, bool in_lanes,
                       app_work *work, GError **error);
