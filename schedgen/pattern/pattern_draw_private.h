/* schedgen/pattern/pattern_draw_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Random numbers and permutations of a pattern. Each is a hash (XXH3, 64 bits) of the pattern's
 * seed, a rank and a number: so every rank knows its own, and that of any other, without storing
 * any.
 */
#pragma once

#include "sim/time.h"

/** A number for (@p stream, @p counter). Some nanoseconds. */
uint64_t sched_pattern_draw(uint64_t seed, uint64_t stream, uint64_t counter);

/**
 * Uniform over @p middle - @p spread .. @p middle + @p spread, in steps of a nanosecond from the
 * middle, since schedule files tell computation in these.
 */
sim_time sched_pattern_draw_time(uint64_t draw, sim_time middle, sim_time spread);

/** The ranks put in a cyclic order drawn for @p turn; @p ranks >= 1. */
typedef struct pattern_cycle {
    uint64_t key;
    uint32_t ranks;
    uint32_t bits; /* ranks are below 2^bits */
} pattern_cycle;
pattern_cycle sched_pattern_cycle(uint64_t seed, uint32_t turn, uint32_t ranks);
/** Who comes after, or before, @p rank in it. With two ranks or more it is another one. */
uint32_t sched_pattern_cycle_next(const pattern_cycle *cycle, uint32_t rank);
uint32_t sched_pattern_cycle_previous(const pattern_cycle *cycle, uint32_t rank);
