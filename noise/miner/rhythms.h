/* noise/miner/rhythms.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Several rhythms of one length on one rank: two programs may take equally long each time.
 */
#pragma once

#include "miner/period.h"

#define MINER_MAX_RHYTHMS 4

typedef struct miner_rhythm {
    miner_period period;
    double share; /* of the hits, > 0 */
} miner_rhythm;

/**
 * The rhythms of @p n ascending events, as noise_miner_period_find() finds one. Where it finds one
 * and events are short beside it, those off its beat are looked at by themselves; if they have a
 * rhythm of their own, both are told. Else all are said to be of the one, or of none.
 * @return how many, at least 1; their shares add up to 1
 */
size_t noise_miner_rhythms_find(const miner_seen *seen, size_t n, double chance, double effort,
                                miner_rhythm rhythm[MINER_MAX_RHYTHMS]);
