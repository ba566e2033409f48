/* noise/timing/period.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Do the hits of one rank come at regular intervals? docs/noise-miner.md, section 2, step 5.
 */
#pragma once

#include "noise/miner.h"
#include "sim/time.h"
#include "timing/beats.h"

#include <stddef.h>
#include <stdint.h>

typedef struct miner_period {
    double period;      /* ps; 0: none found */
    double false_alarm; /* probability of a rhythm as clear by chance; 1 without a period */
    double gap_cv;      /* of the times between hits: 0 strict, 1 Poisson, larger bursty; -1: n/a */
} miner_period;

/**
 * Analyse @p n ascending events. Three tests, each strong where the others are blind: a straight
 * line through the count of hits, where none is missing however long events are; else the Rayleigh
 * periodogram, where hits may be missing but events are short beside the period; else an even count
 * per event, where events are long and the time between them hides hits (the period is then a mean,
 * good to a per cent or so).
 * @param chance accept a period if its false-alarm probability is below
 * @param effort hits times frequencies to try, at most: bounds the time and the shortest period
 */
miner_period noise_miner_period_find(const miner_seen *seen, size_t n, double chance,
                                     double effort);
/**
 * The same where hits are seen in a part of the time only: what of the periodogram would have more
 * beats hit than can be seen is an alias with the program's own cycle, and no period is told.
 * @param visible share of the time in which a hit would be seen, 0..1; 0: not known
 */
miner_period noise_miner_period_of_seen(const miner_seen *seen, size_t n, double chance,
                                        double effort, double visible);

/**
 * What the usual estimators say of @p n ascending instants; docs/noise-miner.md, section 4.
 * @param shortest period to try, ps; 0: 0.8 of the shortest 5 % of the gaps
 */
noise_miner_classic noise_miner_classic_of(const sim_time *start, size_t n, double shortest);
