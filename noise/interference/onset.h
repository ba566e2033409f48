/* noise/interference/onset.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Since when is a rank disturbed, and until when? Page's CUSUM (Biometrika 41, 1954) of how far the
 * samples of one sequence are above what is expected; docs/interference.md, section 5. Memory is
 * fixed. Tests: test_onset.
 */
#pragma once

#include "noise/interference.h"

typedef struct onset {
    double sum;      /* > 0: samples have been above what is expected */
    sim_time since;  /* begin of the first of these */
    sim_time lost;   /* by all of these */
    bool disturbed;  /* it has reached the alarm */
    double calm;     /* the same, of samples as expected, while disturbed */
    sim_time until;  /* end of the last sample before these */
    sim_time regain; /* what those since have above what is expected */
    double peak;     /* highest sum, whether or not it was an alarm */
} onset;

/** A sample. */
typedef struct onset_sample {
    sim_time begin, end;
    sim_time excess;  /* work less what was expected */
    double deviation; /* > 0 */
} onset_sample;

typedef enum { ONSET_SAME, ONSET_BEGAN, ONSET_ENDED } onset_change;

/**
 * O(1). @param alarm at which sum it is disturbed
 * @param stretch set if it began or ended; BEGAN: as far as it is known
 */
onset_change noise_onset_add(onset *o, const noise_interference_onset *parameters, double alarm,
                             const onset_sample *sample, noise_interference_stretch *stretch);
/** No sample will follow. @return whether a stretch was open; then it is *stretch */
bool noise_onset_finish(const onset *o, noise_interference_stretch *stretch);
/** Where clean runs went far, the alarm is farther. @param peak of a row, in thousandths */
double noise_onset_alarm(const noise_interference_onset *parameters, uint32_t peak);
