/* apps/ripple/quick/unexplained.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What of a measurement has no name: detours of which nothing is known, and those in which another
 * thread ran, but not known which.
 */
#pragma once

#include "noise/measurement.h"

typedef struct app_unexplained {
    size_t count;          /* detours */
    double share;          /* of the time of all CPUs, 0..1 */
    double of_stolen;      /* of the time of all detours, 0..1 */
    size_t switched;       /* of .count: another thread ran */
    double switched_share; /* of the time of all CPUs */
    const char *evidence;  /* what is known of the others; borrowed from the measurement, or NULL */
} app_unexplained;

/** O(detours). Of a measurement that is not classified, all. */
app_unexplained app_unexplained_of(const noise_measurement *measured);
/** One line: what is known of them all the same. Owned by the caller. */
char *app_unexplained_sentence(const app_unexplained *unexplained);
