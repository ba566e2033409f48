/* apps/ripple/mining/call_at.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Which call of a record was on at an instant. */
#pragma once

#include "sched/trace.h"

/** The first call of @p rank, number @p first or a later one, that ends at @p when or later;
 * num_calls: none. O(log calls) */
static inline uint64_t app_call_at(const sched_rank *rank, uint64_t first, sim_time when)
{
    uint64_t low = first;
    uint64_t high = rank->num_calls;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (rank->calls[middle].leave < when) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
