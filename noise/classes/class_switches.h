/* classes/class_switches.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which detours were context switches, and who ran in them.
 */
#pragma once

#include "noise/measurement.h"
#include "noise/switches.h"

#include <stddef.h>
#include <stdint.h>

/** In place of a thread's id: nobody that is known. */
#define NOISE_CLASS_NOBODY UINT32_MAX

/**
 * Each interval lies in the one detour that it overlaps most; beside all of them, in the nearest
 * if that is not further than 5 us: the two clocks are read one after the other.
 * @param switches [n] in the order in which they ended
 * @param own the thread that measured: its own intervals, and those of the idle CPU, are no detours
 * @param who [cpu->n] out: per detour the thread that ran longest in it, 0: a switch, not known to
 *   whom; NOISE_CLASS_NOBODY: no switch
 */
void noise_class_find_switches(const noise_measurement_cpu *cpu, const noise_switch *switches,
                               size_t n, uint32_t own, uint32_t *who);
/** CLOCK_MONOTONIC ns of an instant of the loop, ps after its begin. */
double noise_class_instant(const noise_measurement_cpu *cpu, sim_time since);
