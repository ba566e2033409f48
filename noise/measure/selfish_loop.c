/* noise/measure/selfish_loop.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/selfish_loop.h"

noise_loop_end noise_loop_measure(noise_loop *loop, noise_clock clock)
{
    switch (clock) {
#if defined(__x86_64__)
    case NOISE_CLOCK_RDTSCP:
        return noise_loop_run(loop, noise_clock_read_rdtscp, NULL);
    case NOISE_CLOCK_RDTSC:
        return noise_loop_run(loop, noise_clock_read_rdtsc, NULL);
#elif defined(__aarch64__)
    case NOISE_CLOCK_CNTVCT:
        return noise_loop_run(loop, noise_clock_read_cntvct, NULL);
#endif
    default:
        return noise_loop_run(loop, noise_clock_read_system, NULL);
    }
}

static inline __attribute__((always_inline)) void sample(uint64_t *differences, size_t n,
                                                         noise_tick_reader read)
{
    uint64_t previous = read(NULL);
    for (size_t i = 0; i < n; i++) {
        const uint64_t now = read(NULL);
        differences[i] = now - previous;
        previous = now;
    }
}

void noise_loop_sample(uint64_t *differences, size_t n, noise_clock clock)
{
    switch (clock) {
#if defined(__x86_64__)
    case NOISE_CLOCK_RDTSCP:
        sample(differences, n, noise_clock_read_rdtscp);
        break;
    case NOISE_CLOCK_RDTSC:
        sample(differences, n, noise_clock_read_rdtsc);
        break;
#elif defined(__aarch64__)
    case NOISE_CLOCK_CNTVCT:
        sample(differences, n, noise_clock_read_cntvct);
        break;
#endif
    default:
        sample(differences, n, noise_clock_read_system);
    }
}
