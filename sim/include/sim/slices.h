/* sim/slices.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * When the parts of a program ended. A program that repeats itself is cut into slices, in the same
 * places of every rank's work whether there is noise or not; so the instants tell how fast each
 * part went, and whether a run has settled (docs/model.md).
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/** What a run fills; sim_run_options.slices. */
typedef struct sim_slices {
    uint32_t n;    /* sim_program.num_slices */
    sim_time *end; /* [n] ps, zeroed by the caller: when the last rank left slice i */
} sim_slices;

/** A rank leaves slice @p i (below n) at @p at. Any thread; some nanoseconds. */
static inline void sim_slices_note(const sim_slices *slices, uint32_t i, sim_time at)
{
    sim_time *end = &slices->end[i];
    sim_time latest = __atomic_load_n(end, __ATOMIC_RELAXED);
    while (at > latest && !__atomic_compare_exchange_n(end, &latest, at, TRUE, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED)) {
    }
}

/** All instants are 0 again, for a run that begins anew. slices may be NULL, or have none. */
static inline void sim_slices_clear(const sim_slices *slices)
{
    for (uint32_t i = 0; slices != NULL && i < slices->n; i++) {
        slices->end[i] = 0;
    }
}

G_END_DECLS
