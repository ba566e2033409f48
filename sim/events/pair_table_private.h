/* sim/events/pair_table_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Matching where no source and no tag is a wildcard: a message and a receive meet if their
 * envelopes are equal. What waits for its partner is in one open hash table, 32 bytes each, so
 * that a look-up usually touches one cache line; more of one envelope queue up behind the first.
 */
#pragma once

#include "events/envelope_private.h"

typedef struct pair_table pair_table;

pair_table *sim_pair_table_new(void);
void sim_pair_table_free(pair_table *table); /* NULL is a no-op */

/** Take out the message, or the receive, that has waited longest under an envelope; 0: none. O(1)
 */
uint32_t sim_pair_table_take(pair_table *table, const matching_envelope *envelope, bool message);
/** A message or a receive waits; under its envelope there are none of the other kind. O(1) */
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
