/* collectives/step_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From a call and an algorithm to its rounds.
 */
#pragma once

#include "algorithms/class_private.h"

/** The phases of a collective, ended by NULL; the first is NULL where the two do not go together,
 * and where there is no algorithm. */
const coll_phase *const *coll_phases(coll_algorithm algorithm, coll_kind kind);

/** The first round from (phase, position) on that is not empty. @return false: no more */
bool coll_round_find(const coll_call *call, const coll_phase *const *phases, uint32_t *phase,
                     uint32_t *position, coll_round *round);

/** The call as @p algorithm wants it: its parameter, and root 0 where there is no root. */
coll_call coll_call_normal(const coll_call *call, coll_algorithm algorithm);
/** Does every rank know that no byte has to move? O(1), O(num_counts) for v-collectives. */
bool coll_call_is_empty(const coll_call *call);
