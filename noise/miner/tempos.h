/* noise/miner/tempos.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Mode modern: what events of each type last on a rank without noise, and whether that moved with
 * the clock. docs/noise-miner.md, section 2, steps 1 and 12.
 */
#pragma once

#include "lengths/tempo.h"
#include "miner/state.h"

#define MINER_NO_TYPE UINT32_MAX

/** Of one rank. */
typedef struct miner_tempos {
    miner_tempo *tempo; /* [tables of the rank] */
    uint32_t heaviest; /* of the types whose tempo moved, which took the most time; MINER_NO_TYPE */
} miner_tempos;

/**
 * A clock moves all that computes: a type's own move is believed, and becomes what its events are
 * judged by, only if types with half the time of those that are there before and after it move to
 * the same side; and, where CPU times are known, if these move as well. @p rank has details.
 */
miner_tempos noise_miner_tempos_find(const noise_miner *miner, const miner_rank *rank);
void noise_miner_tempos_clear(miner_tempos *tempos);
