/* sim/events/pair_table_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Matching where no source and no tag is a wildcard: a message and a receive meet if their
 * envelopes are equal. Up to seven envelopes under which something waits for a rank lie side by
 * side, in two cache lines with what else is known of it; more are in an open hash table of that
 * rank, 16 bytes each and at most half full, until nothing waits for it. More of one envelope queue
 * up behind the first. A hash table that has become empty serves other ranks.
 */
#pragma once

#include "events/envelope_private.h"

typedef struct pair_table pair_table;

pair_table *sim_pair_table_new(void);
void sim_pair_table_free(pair_table *table); /* NULL is a no-op */

/** Take out the message, or the receive, that has waited longest under an envelope; 0: none. O(1)
 */
uint32_t sim_pair_table_take(pair_table *table, const matching_envelope *envelope, bool message);
/**
 * A message or a receive waits; under its envelope there are none of the other kind. O(1). Stops
 * the program with an error if @p ref is 2^30 or more: what waits then takes 64 GiB elsewhere.
 */
void sim_pair_table_wait(pair_table *table, const matching_envelope *envelope, uint32_t ref,
                         bool message);

/** Bring near what an envelope will need. */
void sim_pair_table_prefetch(const pair_table *table, const matching_envelope *envelope);
/** What sim_pair_table_take() would take out now. */
uint32_t sim_pair_table_peek(const pair_table *table, const matching_envelope *envelope,
                             bool message);

/** As sim_matching_num_left() and sim_matching_left(). */
size_t sim_pair_table_num_left(const pair_table *table);
void sim_pair_table_left(const pair_table *table, matching_left *out);
