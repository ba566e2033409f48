/* noise/analysis/trains.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * All beats of one CPU, one after the other: the fullest is taken away, and the next one sought in
 * what remains.
 */
#pragma once

#include "analysis/beats.h"

#include <glib.h>

/**
 * Append to @p trains (of noise_train) those of the detours with owner[i] == NOISE_NOBODY; each is
 * given the index of its train there. Sought among all of them together and among those of one
 * length.
 */
void noise_trains_find(const noise_observation *cpu, size_t index, uint16_t *owner, GArray *trains);
