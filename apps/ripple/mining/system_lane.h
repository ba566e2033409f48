/* apps/ripple/mining/system_lane.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * When ranks of a recorded run were off their CPU, and who ran there: from the records that
 * `--watch` leaves beside a trace.
 */
#pragma once

#include "mining/exemplar.h"
#include "sched/trace.h"

typedef struct app_system_lanes app_system_lanes;

/** @param folder of the trace @return owned by the caller; without records it is empty */
app_system_lanes *app_system_lanes_new(const sched_trace *trace, const char *folder);
void app_system_lanes_free(app_system_lanes *lanes); /* NULL is a no-op */
/** Append to @p slices (of app_exemplar_slice) what touches @p from..@p to on @p rank. */
void app_system_lanes_add(const app_system_lanes *lanes, uint32_t rank, sim_time from, sim_time to,
                          GArray *slices);
/** Were the rank's switches recorded? */
bool app_system_lanes_has(const app_system_lanes *lanes, uint32_t rank);
