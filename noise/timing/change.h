/* noise/timing/change.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Did hits begin, end or change their rate on the way? docs/noise-miner.md, section 2, step 11.
 */
#pragma once

#include "noise/miner.h"

#include <stdint.h>

/** Hits over epochs. */
typedef struct miner_course {
    uint32_t num;                    /* epochs, up to NOISE_MINER_EPOCHS */
    double hits[NOISE_MINER_EPOCHS]; /* of all ranks together */
    double seen[NOISE_MINER_EPOCHS]; /* how long they were looked at, in any unit; 0: not at all */
    double clumps; /* so many hits come together, since ranks are hit at once; 1 */
} miner_course;

/**
 * The one stretch of epochs in which the rate differs most from that of the others, if a Poisson
 * process of constant rate would show one as clear with a probability below 10^-3, all stretches
 * that were looked at counted in. Hits that come in clumps count as so much fewer: clumps of all
 * ranks as told, those in time by how much neighbouring epochs differ. The rates must differ by a
 * factor of two.
 */
noise_miner_change noise_miner_change_find(const miner_course *course);
