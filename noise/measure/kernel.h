/* noise/measure/kernel.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Work that always takes the same time where nothing disturbs it. docs/noise.md, section 6.
 */
#pragma once

#include "noise/measurement.h"

typedef struct noise_workload noise_workload;
struct noise_workload {
    void (*run)(noise_workload *self, uint64_t iterations);
    uint64_t integer;
    double real;
    double *x;      /* daxpy: 2 * NOISE_KERNEL_VECTOR; owned */
    uint32_t *next; /* memory: a circle through all; owned */
    uint32_t at;
};

enum { NOISE_KERNEL_VECTOR = 1024 };

/** All its memory touched. Owned by the caller. */
noise_workload *noise_workload_new(noise_kernel kernel);
void noise_workload_free(noise_workload *workload);
