/* noise/timing/beats.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Does a period explain when hits were seen? Of each hit it is known between which instants the
 * detour began: one beat of a true period lies in each of these intervals. docs/noise-miner.md,
 * section 2, step 5.
 */
#pragma once

#include "sim/time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Detours seen through one event: how many, and between which instants they all began. */
typedef struct miner_seen {
    sim_time first;
    sim_time last;
    uint32_t hits; /* > 0 */
    sim_time wall; /* how long more could have begun; 0 where this one had begun before */
} miner_seen;

/** How well a period explains hits. */
typedef struct miner_beats {
    double share; /* of the hits that have a beat in their interval */
    double width; /* of the phases that nearly all long intervals hold, in periods */
    double blur;  /* median length of the intervals, in periods */
} miner_beats;

/**
 * Of @p n > 0 ascending events, at the period near @p period that explains the most, where it is
 * known to within so much that beats at the end are off by a tenth of it. O(n log n) times 11, or
 * once where @p period explains nearly all.
 */
miner_beats noise_miner_beats_fit(const miner_seen *seen, size_t n, double period);
/** Of @p n > 0 events, the share that such a period explains to within @p slack periods. As costly.
 */
double noise_miner_beats_share(const miner_seen *seen, size_t n, double period, double slack);
/** Are events so short that they say when their hits were? */
bool noise_miner_beats_are_sharp(const miner_beats *beats);
/**
 * May this be the rhythm of the hits? Where events are short, the largest part of them must be on
 * the beat; several rhythms may overlap. Where they are long, nearly all; and no more than a part
 * of their intervals would do, as hits at random in a steady program lie between the same phases of
 * its own cycle, all of them.
 */
bool noise_miner_beats_explain(const miner_beats *beats);
