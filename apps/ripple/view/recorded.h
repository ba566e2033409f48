/* apps/ripple/view/recorded.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A picture of a recorded run as it was: computations and calls. What of it was lost to noise is
 * not in a record, so there is no heat map.
 */
#pragma once

#include "view/picture.h"

#include "sched/trace.h"

/**
 * @param lanes [n] ranks, each once; NULL: the first @p n
 * @param from, to of lanes, from the first instant recorded on; to 0: to the end
 * @return owned by the caller, without title and manifest
 */
app_picture *app_recorded_picture(const sched_trace *trace, const uint32_t *lanes, uint32_t n,
                                  sim_time from, sim_time to);
