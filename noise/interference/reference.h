/* noise/interference/reference.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A row of samples side by side, and what each of them is compared with.
 * Tests: test_scorer, test_scorer_oracle.
 */
#pragma once

#include "interference/align.h"
#include "interference/compare.h"

/** What to compare with, and room for it. */
typedef struct reference {
    noise_interference_reference kind; /* not CLEAN */
    uint32_t num_ranks;
    const uint32_t *nodes; /* [num_ranks] */
    compare_sums *of_node; /* [highest node + 1]; zero between rows */
    sim_time *work;        /* [num_ranks] */
} reference;

/** Fewer samples side by side than this say nothing. */
uint32_t noise_reference_least(noise_interference_reference kind);

/**
 * Call @p judge with each sample of the row. O(ranks), MAD O(ranks log ranks).
 * @return false: too few are side by side; none was judged
 */
bool noise_reference_judge(const reference *r, const align_row *row, bool misaligned,
                           void (*judge)(void *to, uint32_t rank, const noise_sample *sample,
                                         const compare_with *with),
                           void *to);

/** As @p sample is compared: not longer than NOISE_INTERFERENCE_LONGEST. */
static inline sim_time reference_work(const noise_sample *sample)
{
    return sample->compute < NOISE_INTERFERENCE_LONGEST ? sample->compute
                                                        : NOISE_INTERFERENCE_LONGEST;
}

/** Of that, off the CPU. */
static inline sim_time reference_off(const noise_sample *sample)
{
    return sample->off < NOISE_INTERFERENCE_LONGEST ? sample->off : NOISE_INTERFERENCE_LONGEST;
}
