/* classes/class_tick.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The tick of the kernel among the detours: it comes at a phase of its period that stays the same
 * on the kernel's own clock.
 */
#pragma once

#include "noise/measurement.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct noise_class_tick {
    uint32_t hz;         /* 0: no tick was found */
    double phase_ns;     /* of the period, CLOCK_MONOTONIC from the begin of the loop */
    double tolerance_ns; /* to either side */
    size_t found;        /* detours that begin there, switches among them */
    double by_chance;    /* how many would, if they had nothing to do with it */
} noise_class_tick;

/**
 * A tick is there if the timer interrupted often enough for it, and at least half of its instants
 * have a detour, beyond those that have one by chance. O(cpu->n).
 * @param hz of the kernel; 0: not known, none is found
 * @param timer_count how often the timer interrupted this CPU meanwhile
 */
noise_class_tick noise_class_find_tick(const noise_measurement_cpu *cpu, uint32_t hz,
                                       uint64_t timer_count);
/** Ticks a second of this kernel (CONFIG_HZ), by the resolution of the clock that the tick sets. */
uint32_t noise_class_kernel_hz(void);
/** Does a detour that begins at @p start belong to it? */
bool noise_class_is_tick(const noise_class_tick *tick, const noise_measurement_cpu *cpu,
                         sim_time start);
