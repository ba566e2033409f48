/* noise/interference/align.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Samples of ranks that report in any interleaving, put side by side: the t-th of one sequence on
 * all ranks. A rank's t only grows, so what is side by side is decided by the samples alone, unless
 * a bounded window moves on without a rank that lags. Tests: test_scorer, test_scorer_oracle.
 */
#pragma once

#include "noise/sequences.h"

/** The t-th of a sequence, of the ranks that have it. Borrowed for the call. */
typedef struct align_row {
    uint32_t sequence;
    uint64_t t;
    uint32_t num;
    const uint32_t *ranks;       /* [num] ascending */
    const noise_sample *samples; /* [num] */
} align_row;

typedef struct align align;

/**
 * @param window so many of a rank and sequence may wait for others; 0: any number
 * @param take told rows, those of a sequence by t
 * @return owned by the caller; without memory the process ends
 */
align *noise_align_new(uint32_t num_ranks, uint32_t num_sequences, uint32_t window,
                       void (*take)(void *to, const align_row *row), void *to);
void noise_align_free(align *a);
/** O(ranks) for every row that becomes complete. @return false: the window has moved on, or the
 * rank has ended */
bool noise_align_add(align *a, uint32_t rank, const noise_sample *sample);
/** Nothing comes from @p rank any more: nobody waits for it. O(ranks) for every row that is
 * complete now, O(sequences). */
void noise_align_end(align *a, uint32_t rank);
/** How many samples of @p rank wait for others. O(1). */
uint64_t noise_align_waiting(const align *a, uint32_t rank);
/** All that still waits, as rows of the ranks that have it. */
void noise_align_flush(align *a);
