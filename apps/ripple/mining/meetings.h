/* apps/ripple/mining/meetings.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Collectives of a recorded run: who came last.
 */
#pragma once

#include "sched/trace.h"

/**
 * Set @p waited[rank][call], of every collective that is waited for, to 0 where the call waited for
 * nobody, else to -1. Who comes last into a collective waits for nobody to come. How long the
 * others wait is known, but not why it took what it took once all were there: any of them may have
 * been slow. So each collective is judged once, at the rank that came last. The root of a small
 * broadcast or scatter waits for nobody either.
 */
void app_meetings_judge(const sched_trace *trace, sim_time **waited);
