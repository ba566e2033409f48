/* noise/measure/quantum.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How much work makes a quantum of a given time, and how much of FTQ's time was lost.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** The shortest time, in ticks, of several runs of so many iterations. */
typedef uint64_t (*noise_quantum_shortest)(void *context, uint64_t iterations);

/**
 * Iterations whose shortest time is @p ticks to 0.5 %, or as near as whole iterations come: by
 * proportion, which takes few trials of that length. The shortest time, since all else contains
 * detours.
 * @return >= 1
 */
uint64_t noise_quantum_calibrate(noise_quantum_shortest shortest, void *context, double ticks);

/**
 * What an undisturbed interval holds: the 99.9th percentile of @p work, for the maximum may be an
 * artefact of the interval's edges. O(n log n). @return 0 if n is 0
 */
double noise_quantum_most_work(const uint64_t *work, size_t n);
