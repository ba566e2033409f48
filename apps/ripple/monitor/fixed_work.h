/* apps/ripple/monitor/fixed_work.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The same work again and again on one CPU, and for how long of it the thread had the CPU: what a
 * watch of that CPU must explain.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One right after the other. CLOCK_MONOTONIC, ns. */
typedef struct app_quantum {
    uint64_t begin, end;
    uint64_t cpu_ns; /* CPU time of the thread from begin to end */
} app_quantum;

typedef struct app_fixed_work {
    uint32_t tid; /* of the thread that worked */
    size_t n;
    app_quantum *quanta; /* [n] owned */
} app_fixed_work;

/**
 * Work for @p time_ns in a thread of its own on @p cpu, in quanta that take @p quantum_ns of CPU
 * time at the speed of the first moments.
 */
void app_fixed_work_run(uint32_t cpu, uint64_t quantum_ns, uint64_t time_ns, app_fixed_work *out);
void app_fixed_work_clear(app_fixed_work *work);
