/* noise/timing/rhythms.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Several rhythms of one length on one rank: two programs may take equally long each time.
 */
#pragma once

#include "timing/period.h"

#define MINER_MAX_RHYTHMS 4

typedef struct miner_rhythm {
    miner_period period;
    double share; /* of the hits, > 0 */
} miner_rhythm;

/**
 * The rhythms of @p n ascending events, as noise_miner_period_of_seen() finds one. Where it finds
 * one and events are short beside it, those off its beat are looked at by themselves; if they have
 * a rhythm of their own, both are told. Else all are said to be of the one, or of none.
 * @return how many, at least 1; their shares add up to 1
 */
size_t noise_miner_rhythms_find(const miner_seen *seen, size_t n, double chance, double effort,
                                double visible, miner_rhythm rhythm[MINER_MAX_RHYTHMS]);

/**
 * Where a rank waits while a detour begins, it meets the rest of it only, if any: then every second
 * or third detour may be among those events, not among @p seen, all of whose gaps are multiples.
 * @param rests [num_rests] ascending: what else could be rests of such detours, which began there
 * @param period of @p seen by itself
 * @return the period of both together if that is the same divided by 2 .. 4, else @p period
 */
miner_period noise_miner_rhythm_with_rests(const miner_seen *seen, size_t n,
                                           const miner_seen *rests, size_t num_rests, double chance,
                                           double effort, miner_period period);
