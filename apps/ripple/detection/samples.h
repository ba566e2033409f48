/* apps/ripple/detection/samples.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file What the typical sequences of a model took in a run: from calls to samples. */
#pragma once

#include "detection/run_calls.h"

/** How much of a rank the sequences cover, when it has ended. */
typedef struct app_rank_cover {
    uint64_t calls, covered_calls;
    sim_time work, covered_work; /* computation before them */
} app_rank_cover;

/** Who is told; each may refuse, and that ends it. */
typedef struct app_sample_taker {
    bool (*sample)(void *data, uint32_t rank, const noise_sample *sample);
    void (*cover)(void *data, uint32_t rank, const app_rank_cover *cover);
    void *data;
} app_sample_taker;

/**
 * Hand on the samples of all ranks: those of a rank in order, ranks a call each in turn, so that
 * who compares them has little to keep. O(calls sequences).
 * @return false: refused, or no memory
 */
bool app_samples_take(const app_run_calls *calls, const noise_sequences *sequences,
                      const app_sample_taker *taker);
