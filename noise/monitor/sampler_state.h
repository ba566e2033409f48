/* noise/monitor/sampler_state.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "monitor/thread_table.h"
#include "nit/nit_writer.h"

enum { SAMPLER_PENDING = 64 };

typedef struct noise_sampler {
    /* Set before noise_sampler_begin(). */
    uint64_t (*clock)(void *data); /* ns of CLOCK_MONOTONIC */
    void *clock_data;
    noise_nit_writer *writer;
    int proc;           /* the folder, open */
    long descriptors;   /* that may still be opened for threads */
    uint32_t self;      /* whose threads are the monitor's */
    GArray *roots;      /* of uint32_t: processes of the application */
    uint32_t idle_rest; /* threads not active of late are looked at in one of so many sweeps */

    thread_table table;
    uint64_t sweeps;
    uint64_t discovered; /* when new ones were last looked for */
    bool has_begun;
    uint32_t pending[SAMPLER_PENDING]; /* processes with other threads than we know */
    uint32_t num_pending;
    nit_seen seen; /* since it was last told: slices, appeared, most_threads */
} noise_sampler;
