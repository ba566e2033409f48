/* noise/analysis/rhythm.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Instants at regular intervals among others that are not: period and phase of the beat over a
 * whole measurement. docs/noise.md, section 9.
 */
#pragma once

#include "sim/time.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct noise_beat {
    double period; /* ps */
    double origin; /* ps: beats are at origin + k * period */
    double window; /* ps: what begins within it of a beat is on it, but for chance */
} noise_beat;

/**
 * The clearest beat in @p start [n], ascending: the Rayleigh periodogram of the most recent hits,
 * followed back over all of them. What lies off the beat does not harm, as long as it comes at
 * random.
 * @param chance accept a false-alarm probability below
 * @return false if there is none
 */
bool noise_beat_find(const sim_time *start, size_t n, double chance, noise_beat *beat);

/**
 * The beat that keeps to a gap: from the longest chain of starts that follow each other at @p gap
 * +- @p slack, on both sides over all of them. What lies off the beat may come in any way.
 * @return false if no eight follow each other so
 */
bool noise_beat_follow(const sim_time *start, size_t n, double gap, double slack, noise_beat *beat);
