/* noise/monitor/pace.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How long to wait between sweeps: always as long, not at all, or so that the CPU time stays within
 * a share.
 */
#pragma once

#include "noise/nit.h"

typedef struct noise_pace {
    noise_nit_mode mode;
    double budget;        /* share of one CPU */
    uint64_t interval_ns; /* from the beginning of a sweep to that of the next; DEDICATED: 0 */
    double cost_ns;       /* CPU time of a sweep and all around it, of late */
    uint64_t spent_ns, elapsed_ns; /* at the last call */
    double debt_ns;                /* CPU time beyond the budget that is to be made up for */
} noise_pace;

/** @param asked  share of a CPU, sweeps per second, or unused */
void noise_pace_init(noise_pace *pace, noise_nit_mode mode, double asked);
/**
 * After a sweep: choose the interval. All since the beginning.
 * @param spent_ns CPU time of the monitor. @param elapsed_ns time of the watch
 */
void noise_pace_step(noise_pace *pace, uint64_t spent_ns, uint64_t elapsed_ns);
