/* collectives/step_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From a call and an algorithm to its rounds: which phases there are, and the next round in them.
 */
#pragma once

#include "algorithms/round_private.h"
#include "coll/walk.h"

#define COLL_MAX_PHASE 2

/** The phases of a collective, ended by NULL; the first is NULL where the two do not go together.
 */
coll_round_fn *const *coll_plan(coll_algorithm algorithm, coll_kind kind);

/** The first round from (phase, position) on that is not empty. @return false: no more */
bool coll_round_find(const coll_call *call, coll_algorithm algorithm, uint32_t *phase,
                     uint32_t *position, coll_round *round);
/**
 * The step of @p round after @p sub others; counts @p sub up. Of the call, only its reduction
 * rate matters. @return false: no more
 */
bool coll_round_step(const coll_call *call, const coll_round *round, uint32_t *sub,
                     coll_step *step);

/** The call as the algorithms want it: unrooted collectives have root 0. */
coll_call coll_call_normal(const coll_call *call);
/** Does every rank know that no byte has to move? O(1), O(num_counts) for v-collectives. */
bool coll_call_is_empty(const coll_call *call);

/**
 * Does every rank do what rank 0 does, its partners being as far from it as those of rank 0 are
 * from 0? May say no where the answer is yes. chain.c
 */
bool coll_call_rotates(const coll_call *call, coll_algorithm algorithm);
