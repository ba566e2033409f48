/* tests/noise/miner/miner_vectors.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The streams of docs/noise-miner.md, section 4, for the published modes. Times are whole
 * microseconds.
 */
#pragma once

#include "noise/miner.h"

#include <glib.h>

/** Add an event. @return when it ends */
static inline sim_time vector_add(noise_miner *miner, uint32_t rank, uint64_t type,
                                  sim_time start_us, sim_time length_us)
{
    noise_miner_add(miner, rank, type, start_us * SIM_US, (start_us + length_us) * SIM_US, -1);
    return start_us + length_us;
}

/** @p hits events of 400 and @p noise, one in @p every, with @p gap between all. */
static inline void vector_add_hits(noise_miner *m, uint32_t rank, int hits, int every,
                                   sim_time noise, sim_time gap)
{
    sim_time t = 0;
    for (int i = 0; i < hits * every; i++) {
        t = vector_add(m, rank, 0, t, 400 + (i % every == every - 1 ? noise : 0)) + gap;
    }
}

/** One rank, one type. */
static inline void vector_a(noise_miner *m)
{
    vector_add_hits(m, 0, 20, 10, 5700, 600);
}

/** Two ranks, @p offset apart (B': 0), two types. */
static inline void vector_b(noise_miner *m, sim_time offset)
{
    for (uint32_t rank = 0; rank < 2; rank++) {
        sim_time t = rank * offset;
        for (int i = 0; i < 300; i++) {
            t = vector_add(m, rank, 0, t, 200) + 50;
            t = vector_add(m, rank, 1, t, 1500 + (i % 3 == 2 ? 5700 : 0)) + 50;
        }
    }
}

/** Short noise. */
static inline void vector_c(noise_miner *m)
{
    sim_time t = 0;
    for (int i = 0; i < 500; i++) {
        t = vector_add(m, 0, 0, t, 300 + (i % 5 == 4 ? 60 : 0)) + 100;
    }
}

/** Which lengths are how often in case E and in that of valleys. */
typedef struct vector_bin {
    sim_time length;
    int count;
} vector_bin;

/** These, one after the other. @return when the last one has ended, and @p gap after */
static inline sim_time vector_of_bins(noise_miner *m, const vector_bin *bins, size_t n,
                                      sim_time gap)
{
    sim_time t = 0;
    for (size_t b = 0; b < n; b++) {
        for (int i = 0; i < bins[b].count; i++) {
            t = vector_add(m, 0, 0, t, bins[b].length) + gap;
        }
    }
    return t;
}

/** External. */
static inline void vector_f(noise_miner *m)
{
    for (int i = 0; i < 4000; i++) {
        vector_add(m, 0, 0, 10000 * (sim_time)i, 9000 + (i % 10 == 5 ? 12000 : 0));
    }
}

/** Two sources in what may be one bin. */
static inline void vector_g(noise_miner *m)
{
    for (int i = 0; i < 400; i++) {
        const sim_time noise = i % 8 == 3 ? 150000 : i % 8 == 7 ? 350000 : 0;
        vector_add(m, 0, 0, 1000000 * (sim_time)i, 2000 + noise);
    }
}

/** Short outliers. */
static inline void vector_h(noise_miner *m)
{
    sim_time t = 0;
    for (int i = 0; i < 400; i++) {
        t = vector_add(m, 0, 0, t, i % 10 == 0 ? 1000 : 8000) + 100;
    }
}

/** The row of the paper; another rank is clean. */
static inline void vector_t1(noise_miner *m)
{
    for (int i = 0; i < 1425; i++) {
        const sim_time start = 21775 * (sim_time)i;
        sim_time t = vector_add(m, 0, 0, start, 6100);
        for (int k = 0; k < 5; k++) {
            t = vector_add(m, 0, 0, t, 400);
            vector_add(m, 1, 0, start + 500 * (sim_time)k, 400);
        }
    }
}

/** Two ranks with nearly the same. */
static inline void vector_t2(noise_miner *m)
{
    vector_add_hits(m, 0, 100, 5, 5600, 600);
    vector_add_hits(m, 3, 300, 5, 5800, 600);
}

/** A hundred hits, so far apart. */
static inline void vector_t3(noise_miner *m, sim_time spacing)
{
    for (int i = 0; i < 100; i++) {
        const sim_time t = vector_add(m, 0, 0, spacing * i, 6100);
        vector_add(m, 0, 0, t + 1, 400);
        vector_add(m, 0, 0, t + 1000, 400);
    }
}

/** Three ranks, each of whose noise is within 15 % of its neighbour's; @p reversed: the last first
 */
static inline void vector_merge(noise_miner *m, bool reversed)
{
    static const sim_time noise[] = {5000, 5700, 6450};
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t rank = reversed ? 2 - i : i;
        vector_add_hits(m, rank, 20, 10, noise[rank], 600);
    }
}
