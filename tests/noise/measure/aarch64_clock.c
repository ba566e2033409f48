/* tests/noise/measure/aarch64_clock.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compiled for AArch64 by the test aarch64_clock, with the loops as they are in the library: the
 * counter runs forward at the rate that CNTFRQ_EL0 says, and the loop finds a busy wait in it.
 */
#include "measure/quantum_loop.h"
#include "measure/selfish_loop.h"

#include <stdio.h>

static uint64_t frequency(void)
{
    uint64_t hz;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
    return hz;
}

typedef struct injector {
    uint64_t reads, burst;
} injector;

static uint64_t read_injected(void *context)
{
    injector *in = context;
    const uint64_t now = noise_clock_read_cntvct(NULL);
    if (++in->reads == 1000) {
        while (noise_clock_read_cntvct(NULL) - now < in->burst) {
        }
        return noise_clock_read_cntvct(NULL);
    }
    return now;
}

static void no_work(void *context, uint64_t iterations)
{
    (void)context;
    (void)iterations;
}

int main(void)
{
    const uint64_t hz = frequency();
    const uint64_t system = noise_clock_read_system(NULL);
    const uint64_t first = noise_clock_read_cntvct(NULL);
    uint64_t last = first;
    while (noise_clock_read_system(NULL) - system < 200000000) {
        const uint64_t now = noise_clock_read_cntvct(NULL);
        if (now < last) {
            printf("the counter went back\n");
            return 1;
        }
        last = now;
    }
    const double seconds = (double)(noise_clock_read_system(NULL) - system) * 1e-9;
    const double rate = (double)(noise_clock_read_cntvct(NULL) - first) / seconds;
    if (rate < 0.95 * (double)hz || rate > 1.05 * (double)hz) {
        printf("%.0f ticks a second, but cntfrq_el0 says %.0f\n", rate, (double)hz);
        return 1;
    }
    noise_gap gaps[64];
    injector in = {0, hz / 50};
    noise_loop loop = {.threshold = hz / 100, .duration = hz / 10, .capacity = 64, .gaps = gaps};
    (void)noise_loop_run(&loop, read_injected, &in);
    bool found = false;
    for (size_t i = 0; i < loop.n; i++) {
        found = found || gaps[i].length >= in.burst;
    }
    uint64_t work[10];
    noise_quantum_loop quanta = {.capacity = 10, .sample = work, .interval = (double)hz / 1000};
    noise_quantum_run_time(&quanta, noise_clock_read_cntvct, NULL, no_work, NULL);
    if (!found || quanta.last - quanta.first != (uint64_t)(10 * quanta.interval)) {
        printf("the loops do not work\n");
        return 1;
    }
    return 0;
}
