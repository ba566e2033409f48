/* noise/activity/activity_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "noise/activity.h"

/** A thread was active in sweeps next to each other: once, as far as can be told. */
typedef struct noise_activation {
    uint32_t thread;
    uint64_t from; /* ns: it began after */
    uint64_t to;
    uint64_t cpu_ns;
    uint64_t most;    /* wake-ups it can consist of */
    bool is_recorded; /* it began at .from */
} noise_activation;

/** @p is_job [num_threads]: the threads of the ranks, or of the whole job where no ranks are known.
 */
bool *noise_activity_find_job(const noise_nit *nit);

/**
 * Decide what each row has to do with the job: fills origin and because. Rows, nodes and row_of are
 * complete but for these.
 * @param activations [n] in order of their beginnings
 */
void noise_activity_find_origins(noise_activity *activity, const bool *is_job,
                                 const noise_activation *activations, size_t n);
