/* noise/miner/state.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a miner remembers of its stream. A function of the set of events alone, whatever their
 * order and however they were split: reports computed from it are the same bytes.
 */
#pragma once

#include "miner/histogram.h"
#include "noise/miner.h"

#include <glib.h>

#define MINER_PAGE 4096 /* ranks */

/** Durations of the events of one type, where the expected one is not known. */
typedef struct miner_table {
    uint64_t type;
    miner_histogram durations;
} miner_table;

/** Only of ranks that have something to tell. */
typedef struct miner_detail {
    miner_histogram slower; /* excess over the known expected duration */
    miner_histogram faster; /* what was missing to it */
    miner_table *table;     /* [num_tables] by type */
    uint32_t num_tables;
} miner_detail;

typedef struct miner_rank {
    uint64_t events;
    sim_time first; /* start */
    sim_time last;  /* end */
    miner_detail *detail;
} miner_rank;

typedef struct miner_type {
    uint64_t type;
    char *name;      /* or NULL */
    uint64_t events; /* all */
    uint64_t slower; /* longer than expected, where that is known */
    miner_u128 excess;
} miner_type;

#define MINER_FEW_TYPES 64

struct noise_miner {
    sim_sink sink; /* first: the sink is the miner */
    noise_miner_options options;
    miner_rank **page; /* [num_pages] of MINER_PAGE ranks each, NULL where none was seen */
    uint32_t num_pages;
    uint64_t num_histograms;          /* that hold anything: decides how much each may remember */
    miner_type *few[MINER_FEW_TYPES]; /* types below that number, borrowed from types */
    GHashTable *types;                /* uint64_t -> miner_type, owned */
};

/** How many recent events per window the report may use. It never grows as events are added. */
uint32_t noise_miner_window_limit(const noise_miner *miner);
/** NULL where nothing was seen of @p rank. */
static inline const miner_rank *miner_rank_at(const noise_miner *miner, uint64_t rank)
{
    const uint64_t page = rank / MINER_PAGE;
    if (page >= miner->num_pages || miner->page[page] == NULL) {
        return NULL;
    }
    const miner_rank *r = &miner->page[page][rank % MINER_PAGE];
    return r->events > 0 ? r : NULL;
}
/** One past the highest rank that may have been seen. */
static inline uint64_t miner_rank_end(const noise_miner *miner)
{
    return (uint64_t)miner->num_pages * MINER_PAGE;
}
static inline sim_time miner_rank_span(const miner_rank *rank)
{
    return rank->last - rank->first;
}
