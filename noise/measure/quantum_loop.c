/* noise/measure/quantum_loop.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_quantum. */
#include "measure/quantum_loop.h"

void noise_quantum_measure_work(noise_quantum_loop *loop, noise_clock clock,
                                noise_quantum_work work, void *context)
{
    switch (clock) {
#if defined(__x86_64__)
    case NOISE_CLOCK_RDTSCP:
        noise_quantum_run_work(loop, noise_clock_read_rdtscp, NULL, work, context);
        break;
    case NOISE_CLOCK_RDTSC:
        noise_quantum_run_work(loop, noise_clock_read_rdtsc, NULL, work, context);
        break;
#elif defined(__aarch64__)
    case NOISE_CLOCK_CNTVCT:
        noise_quantum_run_work(loop, noise_clock_read_cntvct, NULL, work, context);
        break;
#endif
    default:
        noise_quantum_run_work(loop, noise_clock_read_system, NULL, work, context);
    }
}

void noise_quantum_measure_time(noise_quantum_loop *loop, noise_clock clock,
                                noise_quantum_work work, void *context)
{
    switch (clock) {
#if defined(__x86_64__)
    case NOISE_CLOCK_RDTSCP:
        noise_quantum_run_time(loop, noise_clock_read_rdtscp, NULL, work, context);
        break;
    case NOISE_CLOCK_RDTSC:
        noise_quantum_run_time(loop, noise_clock_read_rdtsc, NULL, work, context);
        break;
#elif defined(__aarch64__)
    case NOISE_CLOCK_CNTVCT:
        noise_quantum_run_time(loop, noise_clock_read_cntvct, NULL, work, context);
        break;
#endif
    default:
        noise_quantum_run_time(loop, noise_clock_read_system, NULL, work, context);
    }
}
