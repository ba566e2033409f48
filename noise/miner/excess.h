/* noise/miner/excess.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the events of a rank lasted beyond the expected, known or found out.
 */
#pragma once

#include "miner/state.h"
#include "miner/tempos.h"

typedef struct miner_excess {
    miner_histogram slower;
    miner_histogram faster;
    miner_tempos tempos; /* what durations are judged by */
    miner_memory memory;
} miner_excess;

/** An event that was hit. */
typedef struct miner_known_hit {
    miner_hit hit; /* value: the excess */
    uint32_t bin;  /* of the excess */
    sim_time from; /* hits of its kind are complete from this instant on */
} miner_known_hit;

/**
 * Excess and shortfall of all events of @p rank; where the expected duration of a type is not
 * known, it is the mean of the lowest group of durations that holds a quarter of the events, else
 * of the largest; where the clock moved, in each epoch by itself. docs/noise-miner.md, section 2,
 * steps 1 and 12.
 */
void noise_miner_excess_init(miner_excess *excess, const noise_miner *miner,
                             const miner_rank *rank);
void noise_miner_excess_clear(miner_excess *excess);

/** Share of its run time in which detours of @p length ps may begin that @p rank sees: in its
 * events, or so long before that they reach into one. At most 1; 0: not known, as only events that
 * were hit are remembered. */
double noise_miner_excess_visible(const miner_rank *rank, double length);

/** The events of @p rank still remembered, slower or faster. @return miner_known_hit, owned */
GArray *noise_miner_excess_hits(const noise_miner *miner, const miner_rank *rank,
                                const miner_excess *excess, bool faster);

/** Of one @p event of @p rank, what the whole of those like it came to. @return false: no excess */
bool noise_miner_excess_of(const noise_miner *miner, const miner_rank *rank,
                           const miner_excess *excess, const noise_miner_event *event, bool faster,
                           miner_known_hit *known);
