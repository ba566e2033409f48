/* bench/sc10/recorded/computation.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A record with less imbalance than was recorded: to see how much of the waiting comes from it.
 */
#pragma once

#include "sched/trace.h"

/**
 * Scale the computation of each rank between two collectives of the whole world, so that over all
 * ranks it stays what it was, and
 * @param balanced is the same on all ranks; else: each rank has the share of it that it has of all
 *   computation of the record
 * Within the stretch, calls keep their proportions; a rank that computes nothing there does so
 * before the collective. CPU times have to be recorded. Every rank calls as many such
 * collectives.
 */
void sc10_computation_even(sched_trace *trace, bool balanced);
