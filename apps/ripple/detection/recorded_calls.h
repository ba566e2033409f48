/* apps/ripple/detection/recorded_calls.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file The calls of a recorded run. */
#pragma once

#include "detection/run_calls.h"
#include "noise/call_symbol.h"
#include "sched/trace.h"

/**
 * Times count from the first instant of the record, so that they are small and those of a page.
 * O(calls). Owned by the caller.
 */
app_run_calls *app_recorded_calls(const sched_trace *trace, noise_match match);

/** The first instant of the record: the earliest entry of a call of any rank. */
sim_time app_recorded_origin(const sched_trace *trace);
