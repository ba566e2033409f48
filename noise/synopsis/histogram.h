/* noise/synopsis/histogram.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Sparse histograms with a memory: per bin integer sums, per class of bins the most recent
 * events. Everything adds up exactly and in any order, so synopses of parts of a stream merge
 * into the synopsis of the whole; docs/noise-miner.md, section 2.
 */
#pragma once

#include "noise/miner_event.h"
#include "synopsis/epochs.h"
#include "synopsis/memory.h"

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 miner_u128;

/** 32 bins per octave of nanoseconds, exact below 64 ns; covers all of sim_time. */
#define MINER_BINS 1600
/** Bins that share a window of recent events: a quarter of an octave. */
#define MINER_BINS_PER_CLASS 8
#define MINER_NS             ((sim_time)1000) /* as SIM_NS */

/** The log-linear bin of @p time >= 0; docs/noise-miner.md, section 2, step 2. O(1). */
static inline uint32_t miner_bin(sim_time time)
{
    const uint64_t ns = (uint64_t)time / (uint64_t)MINER_NS;
    if (ns < 32) {
        return (uint32_t)ns;
    }
    const uint32_t octave = 63 - (uint32_t)__builtin_clzll(ns);
    return ((octave - 4) << 5) + (uint32_t)((ns >> (octave - 5)) & 31);
}

/** Its lower edge in ps; UINT64_MAX ns would be the edge of bin MINER_BINS. O(1). */
static inline sim_time miner_bin_floor(uint32_t bin)
{
    const uint64_t ns = bin < 64 ? bin : (uint64_t)(32 + (bin & 31)) << (bin / 32 - 1);
    return ns > (uint64_t)(INT64_MAX / MINER_NS) ? INT64_MAX : (sim_time)ns * MINER_NS;
}

/** Where a value belongs. */
typedef struct miner_place {
    uint32_t bin;
    uint32_t window; /* which window of recent events */
    sim_time floor;  /* what sums are counted from: the lower edge of the bin; linear: 0 */
    bool linear;     /* bins of one width */
} miner_place;

/** In the log-linear grid. */
static inline miner_place miner_place_log(sim_time time)
{
    const uint32_t bin = miner_bin(time);
    return (miner_place){bin, bin / MINER_BINS_PER_CLASS, miner_bin_floor(bin), false};
}

typedef struct miner_hit {
    sim_time start;
    sim_time end;
    sim_time value; /* what the histogram is of: a duration, or an excess */
} miner_hit;

/** Sums over the events of one bin. They saturate: no overflow, still associative. The order of
 * members leaves no gaps: there are many of these. */
typedef struct miner_cell {
    uint32_t bin : 24;
    uint32_t shift : 7;  /* of its epochs, see epochs.h */
    uint32_t linear : 1; /* not of the log-linear grid: sums are of the values themselves */
    uint32_t epoch[MINER_EPOCHS]; /* events that began in each; saturate */
    sim_time from;                /* the begin of the first epoch */
    uint64_t count;
    uint64_t sum;     /* of value - floor, ps */
    uint64_t wall;    /* of what is mined of the events, noise included, ps */
    uint64_t partial; /* events that met only a part of their detour, whose length is known … */
    uint64_t missed; /* … and what they did not meet: the time lost is the sum of value less this */
    uint64_t num_cpu; /* events with a known CPU time … */
    uint64_t cpu;     /* … and its sum, ps */
    miner_u128 sum_2; /* of the square of value - floor */
} miner_cell;

/** Lower edge of the bin, which sums are counted from, ps. */
static inline sim_time miner_cell_floor(const miner_cell *cell)
{
    return cell->linear ? 0 : miner_bin_floor(cell->bin);
}

static inline miner_grid miner_cell_grid(const miner_cell *cell)
{
    return (miner_grid){cell->from, cell->shift};
}

typedef struct miner_window {
    uint32_t key;
    uint32_t num;
    uint32_t cap;
    miner_hit *hit; /* [num] in order; at least the most recent `limit` */
} miner_window;

typedef struct miner_histogram {
    miner_cell *cell; /* [num_cells] by bin */
    uint32_t num_cells;
    uint32_t cap_cells;
    miner_window *window; /* [num_windows] by key */
    uint32_t num_windows;
    uint32_t cap_windows;
} miner_histogram;

/** What a histogram is told of one event. */
typedef struct miner_sample {
    miner_hit hit;
    sim_time begin;  /* of the event: which epoch it counts in */
    sim_time wall;   /* what is mined of the event */
    sim_time cpu;    /* -1: not known */
    sim_time missed; /* of the detour, before the event began; 0: nothing */
} miner_sample;

void noise_miner_histogram_clear(miner_histogram *histogram, miner_memory *memory);
/**
 * Count one event; its window keeps at least the @p limit most recent. O(log bins).
 * @return false: no memory, and nothing has changed
 */
bool noise_miner_histogram_add(miner_histogram *histogram, miner_memory *memory, miner_place place,
                               const miner_sample *sample, uint32_t limit);
/** Add the sums of @p cell, whose bin must be of this histogram's grid. No windows. */
bool noise_miner_histogram_add_cell(miner_histogram *histogram, miner_memory *memory,
                                    const miner_cell *cell);
/**
 * Add all of @p other. Associative and commutative.
 * @return false: no memory, and some of it is missing
 */
bool noise_miner_histogram_merge(miner_histogram *histogram, miner_memory *memory,
                                 const miner_histogram *other, uint32_t limit);

/** One more event in a window, whose cell is there. @return false: no memory */
bool noise_miner_histogram_add_hit(miner_histogram *histogram, miner_memory *memory,
                                   uint32_t window, miner_hit hit, uint32_t limit);
/** Was anything counted in that bin? */
bool noise_miner_histogram_has(const miner_histogram *histogram, uint32_t bin);

/** Sum of the values of a cell, ps. */
static inline double miner_cell_sum(const miner_cell *cell)
{
    return (double)miner_cell_floor(cell) * (double)cell->count + (double)cell->sum;
}

static inline double miner_cell_mean(const miner_cell *cell)
{
    return (double)miner_cell_floor(cell) + (double)cell->sum / (double)cell->count;
}
