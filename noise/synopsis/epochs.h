/* noise/synopsis/epochs.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * When: counts over epochs of equal width, a power of two of picoseconds, that double as a run goes
 * on. The width is the smallest at which all that was counted lies in MINER_EPOCHS epochs of one
 * grid for all; so counts are a function of the set of instants alone, and of long runs at least 8
 * epochs are in use. docs/noise-miner.md, section 2, step 11.
 */
#pragma once

#include "noise/miner_event.h"

#include <stdbool.h>
#include <stdint.h>

#define MINER_EPOCHS 15

/** Epoch i of a grid begins at from + i * 2^shift. */
typedef struct miner_grid {
    sim_time from; /* the first epoch that counts anything; a multiple of 2^shift */
    uint32_t shift;
} miner_grid;

/** The narrowest grid in which instants @p first to @p last lie, at least 2^shift wide. */
static inline miner_grid noise_epochs_grid(sim_time first, sim_time last, uint32_t shift)
{
    const uint64_t span = (uint64_t)(last - first);
    if (span >> 4 > 0) { /* no narrower one has a chance */
        const uint32_t least = 60 - (uint32_t)__builtin_clzll(span);
        shift = shift > least ? shift : least;
    }
    while ((last >> shift) - (first >> shift) >= MINER_EPOCHS) {
        shift++;
    }
    return (miner_grid){(first >> shift) * ((sim_time)1 << shift), shift};
}

/** The number in grid @p in of epoch @p i of @p of; @p in must be as wide or wider, and reach. */
static inline uint32_t noise_epochs_index(miner_grid of, uint32_t i, miner_grid in)
{
    return (uint32_t)((((of.from >> of.shift) + i) >> (in.shift - of.shift)) -
                      (in.from >> in.shift));
}

/** As noise_epochs_index(), but MINER_EPOCHS or more where @p in is narrower or does not reach. */
static inline uint32_t noise_epochs_find(miner_grid of, uint32_t i, miner_grid in)
{
    return of.shift > in.shift ? UINT32_MAX : noise_epochs_index(of, i, in);
}

/** The epoch of an instant; MINER_EPOCHS or more: it is in none. */
static inline uint64_t noise_epochs_of(miner_grid grid, sim_time instant)
{
    return instant < grid.from ? UINT64_MAX : (uint64_t)(instant - grid.from) >> grid.shift;
}

/** Where the last epoch begins that counts anything; at least one must. */
static inline sim_time noise_epochs_last(miner_grid grid, const uint32_t *count)
{
    uint32_t i = MINER_EPOCHS - 1;
    while (i > 0 && count[i] == 0) {
        i--;
    }
    return grid.from + ((sim_time)i << grid.shift);
}

/** How many more? They saturate. */
static inline uint32_t noise_epochs_add(uint32_t a, uint32_t b)
{
    return b > UINT32_MAX - a ? UINT32_MAX : a + b;
}
