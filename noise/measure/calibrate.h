/* noise/measure/calibrate.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How long one iteration of the loop takes, and how many ticks make a second.
 */
#pragma once

#include "measure/clock.h"
#include "sim/time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct noise_iteration {
    uint64_t t_min;    /* ticks, >= 1: what an undisturbed iteration takes */
    uint64_t typical;  /* ticks: the median */
    bool coarse_clock; /* nearly all iterations took 0 or 1 tick: t_min is that of the clock */
    bool two_speeds;   /* the median is at least 1.3 t_min: a busy sibling, a changing frequency */
} noise_iteration;

/**
 * A robust minimum, for the smallest difference may be an artefact (two reads of the counter one
 * tick apart): the first percentile of all differences above one tick; or the median, where the
 * mean is three times as much. Sorts @p differences. O(n log n).
 * @param n > 0; 1e5 or more on real clocks
 */
noise_iteration noise_calibrate_iteration(uint64_t *differences, size_t n);

/** Ticks above which a gap is a detour: factor t_min, but at least @p floor, and two ticks. */
uint64_t noise_calibrate_threshold(const noise_iteration *iteration, double factor, sim_time floor,
                                   double ticks_per_second);

/** One instant on both clocks. */
typedef struct noise_anchor {
    uint64_t ticks;
    int64_t ns;     /* CLOCK_MONOTONIC_RAW, or what was asked for */
    uint64_t width; /* ticks: the two clocks were read within so many of each other */
} noise_anchor;

/** The tightest of 20 brackets. About 2 us. */
noise_anchor noise_anchor_take(noise_clock clock);
/** The same on another system clock. */
noise_anchor noise_anchor_take_on(noise_clock clock, clockid_t system_clock);
/** The system clock at @p ticks, on the line through both. */
int64_t noise_anchor_at(const noise_anchor *a, const noise_anchor *b, uint64_t ticks);
/** Ticks per second between two anchors; a >= 1 s apart: better than 0.1 ppm. */
double noise_anchor_rate(const noise_anchor *a, const noise_anchor *b);
/** By how much half of each bracket may falsify that rate. */
double noise_anchor_bracket_ppm(const noise_anchor *a, const noise_anchor *b);
/** Rounded to nearest. */
sim_time noise_ticks_to_time(uint64_t ticks, double ticks_per_second);
