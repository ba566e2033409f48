/* noise/miner/examples.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From the exemplars that a synopsis keeps of each bin to those of a row.
 */
#pragma once

#include "miner/state.h"

/** An event that may stand for others. */
typedef struct miner_example {
    noise_miner_event event;
    sim_time value; /* its excess; set when it is known */
    miner_choice choice;
} miner_example;

/** All that @p miner has, in order of rank. @return miner_example; owned by the caller */
GArray *noise_miner_examples_new(const noise_miner *miner);
/**
 * Of @p example [n], which are of one source and lie on @p ranks [num_ranks], ascending: the most
 * recent, the largest and those drawn, MINER_EXEMPLARS of each at most, each once, into @p row in
 * order of time. The same whatever the order they come in.
 */
void noise_miner_examples_choose(const miner_example *example, size_t n, const uint32_t *ranks,
                                 size_t num_ranks, noise_miner_row *row);
