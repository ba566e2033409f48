/* noise/random.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Counter-based random numbers: a value is a hash (XXH3, 64 bit) of (seed, stream, counter). Seeds,
 * streams and counters may be any numbers, also 1, 2, 3.
 * No state, so any thread may draw any number in any order.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/** Uniform over all 2^64 values. O(1). */
uint64_t noise_random_u64(uint64_t seed, uint64_t stream, uint64_t counter);
/** Uniform in (0, 1): never 0, never 1. */
double noise_random_unit(uint64_t seed, uint64_t stream, uint64_t counter);
/** Uniform in 0..bound-1, without bias. @p bound > 0. */
uint64_t noise_random_below(uint64_t seed, uint64_t stream, uint64_t counter, uint64_t bound);
/** The same in @p n streams from @p stream on; @p bound <= INT64_MAX. */
void noise_random_below_in_streams(uint64_t seed, uint64_t stream, unsigned n, uint64_t counter,
                                   uint64_t bound, int64_t *out);
/** Standard normal. */
double noise_random_normal(uint64_t seed, uint64_t stream, uint64_t counter);
/** A stream number for @p name: each name keeps its numbers, whatever other names there are. */
uint64_t noise_random_stream(const char *name);

G_END_DECLS
