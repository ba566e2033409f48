/* tests/collectives/algorithms/flow.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Runs the steps of a collective on symbols: which blocks does each rank have, with whose
 * contributions in them? What a message carries follows from the definition of the algorithm,
 * told here a second time in terms of sets (what the receiver lacks, the subtree below it, the
 * blocks with bit i of their distance set, …), and its length must be that of those blocks.
 */
#pragma once

#include "calls.h"

/** At most 64 ranks. @return NULL if all is well, else what is wrong. Owned by the caller. */
char *flow_check(const calls_spec *spec);
