/* apps/ripple/detection/followed_calls.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The calls of a record that is simulated: those that were recorded, so that a model that was
 * learned of the record fits. What a rank computes before a call is what it computed when it was
 * recorded, and what the operations that compute there take longer in the simulated run.
 */
#pragma once

#include "detection/call_script.h"
#include "sched/rank_source.h"
#include "sched/trace.h"

/**
 * Calls that became no operation of their own are in the stream, too, as long as they are in that
 * of the record: a wait, and what answers by itself (MPI_Comm_rank). What a rank computes is one
 * operation from one converted call to the next; what that takes longer counts for the latter.
 * In copies of a rank, calls are named as in the record. O(operations + calls).
 * @param ops the operations of @p trace, of all copies and passes
 * @return owned by the caller; NULL with an error of @p ops
 */
app_call_script *app_followed_script_new(const sched_trace *trace, sched_rank_source *ops,
                                         noise_match match, GError **error);
