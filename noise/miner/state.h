/* noise/miner/state.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A miner: a synopsis, and how it is to be looked at. Reports are a function of the set of events
 * alone.
 */
#pragma once

#include "noise/miner.h"
#include "synopsis/synopsis.h"

#include <glib.h>

struct noise_miner {
    sim_sink sink; /* first: the sink is the miner */
    noise_miner_options options;
    noise_synopsis synopsis;
    const sim_noise *noise; /* of the run that it is told of; NULL: not known */
    GPtrArray *part;        /* of noise_miner: more threads of a run; NULL: none */
    miner_grid grid;        /* of all that was seen, when a report is made … */
    uint32_t num_epochs;    /* … mode modern; else 0 */
};

/** Take in what the parts have seen; the run is over. */
void noise_miner_gather(noise_miner *miner);

/** How many recent events per window the report may use. It never grows as events are added. */
static inline uint32_t noise_miner_window_limit(const noise_miner *miner)
{
    return noise_synopsis_window_limit(&miner->synopsis);
}
/** NULL where nothing was seen of @p rank. */
static inline const miner_rank *miner_rank_at(const noise_miner *miner, uint64_t rank)
{
    return noise_synopsis_rank(&miner->synopsis, rank);
}
/** One past the highest rank that may have been seen. */
static inline uint64_t miner_rank_end(const noise_miner *miner)
{
    return noise_synopsis_rank_end(&miner->synopsis);
}
static inline sim_time miner_rank_span(const miner_rank *rank)
{
    return rank->last - rank->first;
}

/** The rows of each mode, unsorted, into a report whose totals are filled in. */
void noise_miner_paper_report(const noise_miner *miner, noise_miner_report *report);
void noise_miner_projections_report(const noise_miner *miner, noise_miner_report *report);
void noise_miner_modern_report(const noise_miner *miner, noise_miner_report *report);
