/* noise/synopsis/exposures.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How much was watched when: events and their durations over epochs. Noise that is seen more often
 * need not have become more frequent; the program may have worked more. Each of the first ranks has
 * counts of its own; beyond them 64 share theirs, so that a million ranks take 5 MB.
 */
#pragma once

#include "synopsis/epochs.h"
#include "synopsis/memory.h"

#define MINER_OWN_EXPOSURES 4096 /* ranks */
#define MINER_SHARING       64

typedef struct miner_exposure {
    miner_grid grid;
    uint32_t count[MINER_EPOCHS]; /* events that began; saturates; all 0: nothing was seen */
    uint64_t work[MINER_EPOCHS];  /* what they lasted, ps; saturates */
} miner_exposure;

typedef struct miner_exposures {
    miner_exposure **page; /* [num_pages] of MINER_SHARING each, NULL where nothing was seen */
    uint32_t num_pages;
    uint32_t cap_pages;
} miner_exposures;

/** Which one is that of @p rank. */
static inline uint32_t noise_exposures_index(uint32_t rank)
{
    return rank < MINER_OWN_EXPOSURES
               ? rank
               : MINER_OWN_EXPOSURES + (rank - MINER_OWN_EXPOSURES) / MINER_SHARING;
}
/** One past the highest that there may be. */
static inline uint32_t noise_exposures_end(const miner_exposures *x)
{
    return x->num_pages * MINER_SHARING;
}
/** NULL: nothing was seen. */
static inline const miner_exposure *noise_exposures_at(const miner_exposures *x, uint32_t index)
{
    const uint32_t page = index / MINER_SHARING;
    const miner_exposure *e =
        page < x->num_pages && x->page[page] != NULL ? &x->page[page][index % MINER_SHARING] : NULL;
    return e != NULL && e->count[0] > 0 ? e : NULL; /* the first epoch always counts something */
}

/** Where there is none yet, and where it does not reach yet. */
miner_exposure *noise_exposures_make(miner_exposures *exposures, miner_memory *memory,
                                     uint32_t index);
void noise_exposure_reach(miner_exposure *exposure, sim_time start);

/** Made where there is none. @return NULL: no memory */
static inline miner_exposure *noise_exposures_get(miner_exposures *x, miner_memory *memory,
                                                  uint32_t index)
{
    const uint32_t page = index / MINER_SHARING;
    return page < x->num_pages && x->page[page] != NULL ? &x->page[page][index % MINER_SHARING]
                                                        : noise_exposures_make(x, memory, index);
}
/** Count an event that began at @p start and lasted @p duration. O(1), no memory. */
static inline void noise_exposure_add(miner_exposure *e, sim_time start, sim_time duration)
{
    uint64_t at = noise_epochs_of(e->grid, start);
    if (at >= MINER_EPOCHS || e->count[0] == 0) {
        noise_exposure_reach(e, start);
        at = noise_epochs_of(e->grid, start);
    }
    e->count[at] = noise_epochs_add(e->count[at], 1);
    const uint64_t more = (uint64_t)duration;
    e->work[at] = more > UINT64_MAX - e->work[at] ? UINT64_MAX : e->work[at] + more;
}
/** Associative and commutative. @p other must have seen something. */
void noise_exposure_merge(miner_exposure *exposure, const miner_exposure *other);
/** @return false: no memory, and some is missing */
bool noise_exposures_merge(miner_exposures *exposures, miner_memory *memory,
                           const miner_exposures *other);
void noise_exposures_clear(miner_exposures *exposures, miner_memory *memory);
