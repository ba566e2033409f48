/* noise/lengths/tempo.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What events of a type last without noise, epoch by epoch: where all of them step or drift
 * together, as when a clock changes, that is no noise. docs/noise-miner.md, section 2, step 12.
 */
#pragma once

#include "lengths/peaks.h"
#include "synopsis/epochs.h"

#include <stdbool.h>
#include <stdint.h>

/** The mode of an epoch. */
typedef struct miner_mode {
    uint32_t first; /* bins of its hill */
    uint32_t last;
    double duration; /* its mean, ps */
    double spread;   /* standard deviation, ps */
    double cpu;      /* mean CPU time, ps; -1: not known */
    double events;
} miner_mode;

#define MINER_EXPECTED_SHARE 0.25 /* of the events: the lowest hill that holds it is expected */

/** Where durations stay, there is one part. */
typedef struct miner_tempo {
    uint32_t num_parts;            /* 1: nothing moved */
    miner_mode part[MINER_EPOCHS]; /* the mode of each */
    uint32_t begin[MINER_EPOCHS];  /* the first epoch that is wholly in it */
    uint32_t end[MINER_EPOCHS];    /* one past the last */
} miner_tempo;

/** The hill of @p durations (some events) that noise did not touch: the lowest that holds a quarter
 * of them, else the largest. */
miner_hill noise_tempo_hill(const uint64_t count[MINER_BINS]);

/**
 * Divide @p num epochs of @p grid into parts with modes of their own. A mode has moved where it
 * differs from the one before by 2 %, more than events of it differ among each other, and five
 * standard errors; and where it has moved as a whole: nearly nothing is left where it was, and
 * nearly nothing was where it is. So neither chance nor two modes of data, one more often now than
 * then, are parts.
 * @param whole the mode of all, that of the only part where nothing moved
 */
miner_tempo noise_tempo_find(const miner_histogram *durations, miner_grid grid, uint32_t num,
                             const miner_mode *whole);

/**
 * The modes that an event of @p bin in @p epoch may be judged by; none: it is as expected. In
 * epochs between two parts, and next to them, there may be several.
 * @return how many
 */
uint32_t noise_tempo_references(const miner_tempo *tempo, uint32_t epoch, uint32_t bin,
                                const miner_mode *mode[MINER_EPOCHS]);

/** The mode of the part that @p epoch is in; NULL: it is between two, or there was too little. */
const miner_mode *noise_tempo_at(const miner_tempo *tempo, uint32_t epoch);
