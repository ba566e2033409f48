/* noise/analysis/beats.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which detours are on a beat: those that begin at it and are as long as what comes at it.
 */
#pragma once

#include "analysis/rhythm.h"
#include "noise/detour_statistics.h"

#include <stdint.h>

enum { NOISE_NOBODY = UINT16_MAX };

/** What comes on a beat, on one CPU. */
typedef struct noise_train {
    noise_beat beat;
    size_t count;       /* detours on it */
    double beats;       /* from the first to the last of them */
    double hidden;      /* beats within another detour: what came then cannot be seen */
    double jitter;      /* ps: standard deviation of the starts about the beat */
    size_t cpu;         /* where: index of the observation */
    sim_time median;    /* length */
    double false_alarm; /* that as many beats are met by chance, times the periods there are */
    size_t over_beat;   /* detours of others that cover a beat of it */
} noise_train;

/**
 * Give those of the detours owner[i] == NOISE_NOBODY of @p cpu that are on @p beat to @p mine. They
 * begin within its window, and of detours as long as they (a quarter octave) more do so than would
 * by chance; lengths go on from the commonest with no gap of an octave.
 * @return false, and nobody is given away, where the beat does not hold: fewer than half of the
 * beats that can be seen are met, or as many would be met half a period away.
 */
bool noise_beat_take(const noise_observation *cpu, noise_beat beat, double chance, uint16_t mine,
                     uint16_t *owner, noise_train *train);
