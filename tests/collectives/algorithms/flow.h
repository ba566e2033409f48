/* tests/collectives/algorithms/flow.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Runs the steps of a collective on symbols: which blocks does each rank have, with whose
 * contributions in them? What a message carries, each phase says in a word (coll_payload); here it
 * is told in terms of sets (what the receiver lacks, the subtree below it, the blocks with bit i of
 * their distance set, …), and the length of a message must be that of those blocks.
 */
#pragma once

#include "calls.h"

/** At most 64 ranks. @return NULL if all is well, else what is wrong. Owned by the caller. */
char *flow_check(const calls_spec *spec);
