/* apps/ripple/mining/waits.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How long each call of a recorded run waited for a partner that came late. docs/noise-miner.md,
 * section 6.
 */
#pragma once

#include "mining/messages.h"

/**
 * What is known of the calls of all ranks. A partner is late until the earliest instant from which
 * on, by the record, everything that the call needs of others was there; what of the call comes
 * after that is its own.
 */
typedef struct app_waits {
    uint32_t num_ranks;
    sim_time **of; /* [num_ranks] of each call: 0..leave - enter; -1: the record does not say, or
                      the call is not one that messages and collectives explain */
} app_waits;

/** @return owned by the caller. O(n log n) in calls */
app_waits *app_waits_new(const sched_trace *trace, const app_messages *messages);
void app_waits_free(app_waits *waits); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_waits, app_waits_free)
