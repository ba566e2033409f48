/* tests/noise/synopsis/random_events.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Random events, and synopses of random parts of them. */
#pragma once

#include "synopsis/synopsis.h"

#include <glib.h>

enum { RANDOM_RANKS = 9, RANDOM_TYPES = 6 };

/** Deterministic in @p seed and @p i; 0..n - 1 */
static inline uint64_t random_below(uint64_t seed, uint64_t i, uint64_t n)
{
    uint64_t x = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) + i;
    x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
    x = (x ^ x >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (x ^ x >> 33) % n;
}

/** Event @p i of a stream: known and unknown expectations, CPU time, waiting, detours; some events
 * are the same in all but one thing. */
static inline noise_miner_event random_event(uint64_t seed, uint64_t i)
{
    const uint64_t type = random_below(seed, 8 * i, RANDOM_TYPES);
    const sim_time work = (sim_time)(type + 1) * 100000000;
    const uint64_t hit = random_below(seed, 8 * i + 1, 10);
    const sim_time more = hit < 6   ? 0
                          : hit < 8 ? (sim_time)random_below(seed, 8 * i + 2, 400) * 1000000
                                    : 5700000000;
    const sim_time start = (sim_time)(i / 3) * 1000000000;
    const sim_time faster = hit == 7 ? 30000000 : 0;
    return (noise_miner_event){
        .rank = (uint32_t)random_below(seed, 8 * i + 3, RANDOM_RANKS) * 700,
        .type = type,
        .start = start,
        .end = start + work + more - faster,
        .expected = type < 2 ? work : -1,
        .cpu = type % 2 == 0 ? work : -1,
        .waited = type == 5   ? more / 2
                  : type == 4 ? -1
                              : 0,
        .detour =
            type == 1 && more > 0 ? more + (sim_time)random_below(seed, 8 * i + 4, 2) * 7000 : -1,
    };
}
