/* apps/ripple/calibration/walks.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What calls take more after a walk through memory, as a computation makes it, in one round.
 * docs/machines.md, "After a computation".
 */
#pragma once

#include "calibration/samples.h"

/** Lengths of the walks, the shortest first: that displaces the first-level cache alone, as every
 * computation does, and the others are compared with it. */
#define APP_WALKS 16

/** NAN: not measured. */
typedef struct app_round_walk {
    double computed; /* ns that it took */
    double first;    /* ns that the first call takes more than after the shortest walk */
    double further;  /* ns, likewise, a call of another kind after that */
} app_round_walk;

/** Bytes of the walks in @p samples, at most APP_WALKS. @return how many there are */
size_t app_walks_sizes(const app_samples *samples, int64_t *bytes);

/** What a round comes to. @param bytes [n] of all rounds; @param out [n] */
void app_walks_fit(const app_samples *samples, const int64_t *bytes, size_t n, app_round_walk *out);
