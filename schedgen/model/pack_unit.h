/* schedgen/model/pack_unit.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Times of packed calls are counted in us, ns or ps: the largest that makes all of them
 * whole. */
#pragma once

#include "sched/trace.h"

/* The three units as constants: a division by each is a multiplication. */
static inline sim_time sched_in_units(sim_time time, sim_time unit)
{
    return unit == SIM_NS ? time / SIM_NS : unit == SIM_US ? time / SIM_US : time;
}

/**
 * The largest unit, but no larger than @p unit, that the times of @p n calls are whole numbers of,
 * counted from @p begin; 1, ps, once one is so large that differences may not be in range.
 */
sim_time sched_unit_with(sim_time unit, sim_time begin, const sched_call *calls, uint64_t n);
