/* collectives/chain_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Collectives as chains (sim/chain.h). */
#pragma once

#include "coll/walk.h"

/**
 * Does every rank do what rank 0 does, its partners being as far from it as those of rank 0 are
 * from 0? May say no where the answer is yes.
 */
bool coll_course_rotates(const coll_course *course);
