/* schedgen/model/beside_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "coll/kind.h"
#include "sim/call_cost.h"

/**
 * What a blocking call takes of the CPU beside its messages.
 * @param calls [SIM_NUM_CALLS], or NULL
 * @return 0 if they say nothing of it, if the rank is alone, or if there is nothing to move
 */
sim_time sched_beside_of(const sim_call_cost *calls, const coll_call *call);
