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
 * Tries 100, 250, 300 and 1000 Hz, as often as the timer's interrupts allow: a tick is there if at
 * least half of its instants have a detour, beyond those that have one by chance. O(cpu->n).
 * @param timer_count how often the timer interrupted this CPU meanwhile
 */
noise_class_tick noise_class_find_tick(const noise_measurement_cpu *cpu, uint64_t timer_count);
/** Does a detour that begins at @p start belong to it? */
bool noise_class_is_tick(const noise_class_tick *tick, const noise_measurement_cpu *cpu,
                         sim_time start);
