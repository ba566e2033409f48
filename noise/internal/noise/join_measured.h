/* noise/join_measured.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Who ran in the detours of a measurement that were context switches, by a watch of the node
 * (noise/nit.h) during it. docs/noise.md, section 6. Not installed.
 */
#pragma once

#include "noise/measurement.h"
#include "noise/nit.h"

/** The class of what the watch itself took. */
#define NOISE_JOIN_WATCH "ripple-watch"

/**
 * Give the detours whose class is of the scheduler, but does not name who ran, to classes that do,
 * as far as the watch tells: noise_join_new() lays what it saw into the detours of each CPU. So are
 * those in which the watching process itself ran, its measuring threads apart. Classes that have
 * no detours left are gone. O(detours + activities), with logarithms.
 * @param nit of this node only; it watched during the whole measurement, from the process
 *   that measured
 */
void noise_join_measurement(noise_measurement *measured, const noise_nit *nit);
