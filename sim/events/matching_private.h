/* sim/events/matching_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which message meets which receive: docs/model.md, section 3. Messages come in the
 * order in which they were sent or arrive, receives in the order in which they are posted; each
 * takes the first of the other kind that fits or waits, at O(1) expected however many wait.
 *
 * A message or receive that waits is in one queue per pattern under which it may be looked for. A
 * hash of (rank, communicator, source, tag) finds the queue. Without wildcards:
 * pair_table_private.h.
 */
#pragma once

#include "events/envelope_private.h"

typedef struct matching matching;

/** @param wildcards some source or tag may be SIM_ANY */
matching *sim_matching_new(bool wildcards);
void sim_matching_free(matching *m);

/** Take out the earliest posted receive that fits a message; 0: there is none. */
uint32_t sim_matching_take_receive(matching *m, const matching_envelope *message);
/** Take out the earliest message that fits a receive; 0: there is none. */
uint32_t sim_matching_take_message(matching *m, const matching_envelope *receive);
/**
 * A message or a receive that has found nothing waits.
 * @param ref what to call it, > 0
 */
void sim_matching_wait(matching *m, const matching_envelope *envelope, uint32_t ref, bool message);

/**
 * Hints, where there are no wildcards: that a message or receive will come, and, a little later,
 * whom it would meet if it came now; 0: nobody, or not known.
 */
void sim_matching_prefetch(const matching *m, const matching_envelope *envelope);
uint32_t sim_matching_peek(const matching *m, const matching_envelope *envelope, bool message);

/** How many wait. */
size_t sim_matching_num_left(const matching *m);
/** All that wait, in no particular order. @param out [sim_matching_num_left()] */
void sim_matching_left(const matching *m, matching_left *out);
