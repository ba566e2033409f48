/* noise/synopsis/exemplars.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Examples of what was mined, of all ranks together: of each type and bin the most recent events,
 * the largest, and some drawn at random by a hash of the event itself. Which ones depends on the
 * set of events alone.
 */
#pragma once

#include "noise/miner_event.h"
#include "synopsis/map.h"
#include "synopsis/memory.h"
#include "synopsis/types.h"

#include <stdbool.h>
#include <stdint.h>

/** What the bin of an exemplar is of. */
typedef enum { MINER_DURATIONS, MINER_SLOWER, MINER_FASTER } miner_side;
/** Why an event is one. */
typedef enum { MINER_RECENT, MINER_LARGEST, MINER_DRAWN, MINER_CHOICES } miner_choice;

#define MINER_EXEMPLARS 12 /* of each choice, while there are no more than 512 bins; then fewer */

typedef struct miner_chosen {
    noise_miner_event *event; /* [num], the best last; at least the limit's best ones */
    uint32_t num;
    uint32_t cap;
} miner_chosen;

typedef struct miner_exemplar_bin {
    uint64_t type;
    uint32_t bin;
    miner_side side;
    miner_chosen chosen[MINER_CHOICES];
} miner_exemplar_bin;

typedef struct miner_exemplars {
    miner_exemplar_bin *bin; /* [num] in the order first seen */
    uint32_t num;
    uint32_t cap;
    miner_map index; /* of each bin */
} miner_exemplars;

/** How many of each choice may be used. It never grows as events are added. */
uint32_t noise_synopsis_exemplar_limit(const miner_exemplars *exemplars);
/** Those that may be used, the best last. */
const noise_miner_event *noise_synopsis_exemplars_of(const miner_exemplars *exemplars,
                                                     const miner_exemplar_bin *bin,
                                                     miner_choice choice, uint32_t *num);
/**
 * Keep it if it is among the best. O(1) for most events.
 * @param type index of its type among those of the synopsis
 * @return false: no memory; nothing is broken
 */
bool noise_synopsis_exemplars_add(miner_exemplars *exemplars, miner_memory *memory, miner_side side,
                                  uint32_t type, uint32_t bin, const noise_miner_event *event);
/** As one of a choice alone. */
bool noise_synopsis_exemplars_put(miner_exemplars *exemplars, miner_memory *memory, miner_side side,
                                  uint32_t type, uint32_t bin, miner_choice choice,
                                  const noise_miner_event *event);
/** @param types which has all types of @p other @return false: no memory, some are missing */
bool noise_synopsis_exemplars_merge(miner_exemplars *exemplars, miner_memory *memory,
                                    const miner_types *types, const miner_exemplars *other);
/**
 * The bins by side, type and bin: [num] pointers. @return NULL: no memory; given back by the caller
 * with noise_synopsis_free()
 */
const miner_exemplar_bin **noise_synopsis_exemplars_sorted(const miner_exemplars *exemplars,
                                                           miner_memory *memory);
void noise_synopsis_exemplars_clear(miner_exemplars *exemplars, miner_memory *memory);
