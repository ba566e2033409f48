/* noise/synopsis/synopsis.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a miner remembers of its stream. A function of the set of events alone, whatever their order
 * and however they were split, as long as memory sufficed (lost is 0). No GLib: the tracer builds
 * these sources, too.
 *
 * Memory: sizeof(miner_rank) for a rank, in pages of MINER_PAGE, and what exposures.h says; nothing
 * more where all events lasted as expected. A rank that has something to tell keeps per histogram
 * (slower, faster, and one for each type whose expected duration is not known) sizeof(miner_cell)
 * for each bin that was hit, and for each window twice as many hits as
 * noise_synopsis_window_limit() says.
 */
#pragma once

#include "noise/miner_event.h"
#include "synopsis/exemplars.h"
#include "synopsis/exposures.h"
#include "synopsis/histogram.h"
#include "synopsis/memory.h"
#include "synopsis/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MINER_PAGE 512 /* ranks */

/** What is counted, and how finely. Synopses merge only if theirs are the same. */
typedef struct miner_form {
    sim_time width;    /* of bins; 0: the log-linear grid of histogram.h */
    uint32_t last_bin; /* with a width: the bin of all that lasted longer */
    uint32_t window;   /* most recent events per bin; 0: per class of bins, 16..512 of them, the
                          fewer the more histograms there are */
    bool durations;    /* keep durations even where it is known what to expect */
} miner_form;

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
    uint32_t cap_tables;
} miner_detail;

typedef struct miner_rank {
    uint64_t events;
    sim_time first; /* start */
    sim_time last;  /* end */
    miner_detail *detail;
} miner_rank;

typedef struct noise_synopsis {
    miner_form form;
    miner_memory memory;
    miner_rank **page; /* [num_pages] of MINER_PAGE ranks each, NULL where none was seen */
    uint32_t num_pages;
    uint32_t cap_pages;
    uint64_t num_histograms; /* that hold anything: decides how much each may remember */
    miner_types types;
    miner_exposures exposures; /* none where durations are kept in any case: published modes */
    miner_exemplars exemplars;
    sim_time tick; /* of the clock of the events, set by whoever knows it; 0: exact */
    uint64_t lost; /* events that there was no memory for: in no other number */
} noise_synopsis;

/** @param most_bytes a budget of memory; 0: none, and the process ends when there is no more */
void noise_synopsis_init(noise_synopsis *synopsis, const miner_form *form, uint64_t most_bytes);
void noise_synopsis_clear(noise_synopsis *synopsis);

/**
 * Count one event; those of a rank in order of time. O(1) and no memory where it lasted as
 * expected, O(log of the rank's distinct durations) otherwise. No allocation but when an array
 * grows.
 */
void noise_synopsis_add(noise_synopsis *synopsis, const noise_miner_event *event);
/**
 * A name for a type; copied. Of several the first in order of bytes stays.
 * @return false: no memory
 */
bool noise_synopsis_name_type(noise_synopsis *synopsis, uint64_t type, const char *name);
/** Has this type been seen or named? */
bool noise_synopsis_has_type(const noise_synopsis *synopsis, uint64_t type);
/**
 * Add all that @p other has seen, which has the same form. Associative and commutative.
 * @return false: no memory, and some of it is missing
 */
bool noise_synopsis_merge(noise_synopsis *synopsis, const noise_synopsis *other);
/**
 * As merge, but @p other is empty after it: what it holds of a rank that @p synopsis knows nothing
 * of moves over as it is, so that two halves never take the memory of three.
 */
bool noise_synopsis_absorb(noise_synopsis *synopsis, noise_synopsis *other);

/** Can the two be merged? */
bool noise_synopsis_same_form(const noise_synopsis *a, const noise_synopsis *b);

/** How many recent events per window may be used. It never grows as events are added. */
uint32_t noise_synopsis_window_limit(const noise_synopsis *synopsis);
/** Where a duration or an excess belongs. */
miner_place noise_synopsis_place(const miner_form *form, sim_time value);

/** Where there is none yet. */
miner_rank *noise_synopsis_rank_make(noise_synopsis *synopsis, uint32_t rank);

/** Where a rank's, its details and its durations of a type are; made where there are none. @return
 * NULL: no memory */
static inline miner_rank *noise_synopsis_rank_of(noise_synopsis *s, uint32_t rank)
{
    const uint32_t page = rank / MINER_PAGE;
    return page < s->num_pages && s->page[page] != NULL ? &s->page[page][rank % MINER_PAGE]
                                                        : noise_synopsis_rank_make(s, rank);
}
miner_detail *noise_synopsis_detail(noise_synopsis *synopsis, miner_rank *rank);
miner_histogram *noise_synopsis_table(noise_synopsis *synopsis, miner_detail *detail,
                                      uint64_t type);

/** NULL where nothing was seen of @p rank. */
static inline const miner_rank *noise_synopsis_rank(const noise_synopsis *synopsis, uint64_t rank)
{
    const uint64_t page = rank / MINER_PAGE;
    if (page >= synopsis->num_pages || synopsis->page[page] == NULL) {
        return NULL;
    }
    const miner_rank *r = &synopsis->page[page][rank % MINER_PAGE];
    return r->events > 0 ? r : NULL;
}

/** One past the highest rank that may have been seen. */
static inline uint64_t noise_synopsis_rank_end(const noise_synopsis *synopsis)
{
    return (uint64_t)synopsis->num_pages * MINER_PAGE;
}
