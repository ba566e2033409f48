/* noise/miner/label.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * One short phrase for a row: what CPU times say, how regular it is, and what is usually as long
 * and as regular; docs/noise-miner.md, section 2, step 7.
 */
#pragma once

#include "sim/time.h"

#include <stdbool.h>

typedef struct miner_character {
    double length; /* of a detour, ps */
    double period; /* ps; 0: none found */
    double hits;
    double gap_cv;    /* of the times between hits; -1: not known */
    double preempted; /* 0..1; < 0: no CPU times */
    bool faster;
    sim_time quantum; /* of the scheduler */
} miner_character;

/** Owned by the caller. */
char *noise_miner_label_new(const miner_character *row);
