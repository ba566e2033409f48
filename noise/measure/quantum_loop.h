/* noise/measure/quantum_loop.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The loops of fixed work and of fixed time. Clock and work are functions, which tests replace.
 */
#pragma once

#include "measure/clock.h"
#include "measure/selfish_loop.h"

#include <stddef.h>
#include <stdint.h>

typedef void (*noise_quantum_work)(void *context, uint64_t iterations);

typedef struct noise_quantum_loop {
    uint64_t iterations; /* of the kernel: FWQ: in a quantum; FTQ: in a unit */
    size_t capacity;     /* samples; > 0 */
    uint64_t *sample;    /* [capacity] FWQ: ticks that a quantum took; FTQ: units in an interval */
    uint64_t duration;   /* FWQ: stop so many ticks after the first read */
    double interval;     /* FTQ: ticks, not whole: rounding must not shift the base of time */
    size_t n;            /* samples taken; this and all below are results */
    uint64_t first;      /* tick of the first read */
    uint64_t last;       /* FWQ: of the last read; FTQ: end of the last interval */
    uint64_t backwards;  /* steps of the clock back in time */
    /* Asked once after each quantum whether the thread is still there; NULL: not asked. A look at
     * memory, in the quantum after it */
    unsigned (*ask)(void *witness);
    void *witness;
} noise_quantum_loop;

/** One read between two quanta: no time is lost between them. */
static inline __attribute__((always_inline)) void
noise_quantum_run_work(noise_quantum_loop *loop, noise_tick_reader read, void *clock,
                       noise_quantum_work work, void *context)
{
    const uint64_t iterations = loop->iterations;
    const uint64_t first = read(clock);
    uint64_t previous = first;
    size_t n = 0;
    loop->backwards = 0;
    while (n < loop->capacity) {
        work(context, iterations);
        const uint64_t now = read(clock);
        const bool back = (int64_t)(now - previous) < 0;
        loop->backwards += back;
        loop->sample[n++] = back ? 0 : now - previous;
        previous = now;
        if (loop->ask != NULL) {
            (void)loop->ask(loop->witness);
        }
        if (now - first >= loop->duration) {
            break;
        }
    }
    loop->n = n;
    loop->first = first;
    loop->last = previous;
}

/**
 * Interval k ends at first + (k + 1) * interval, whatever happens: one that is overrun takes the
 * time from the next, which may be left without any work. A unit counts where it ends.
 */
static inline __attribute__((always_inline)) void
noise_quantum_run_time(noise_quantum_loop *loop, noise_tick_reader read, void *clock,
                       noise_quantum_work work, void *context)
{
    const uint64_t iterations = loop->iterations;
    const uint64_t first = read(clock);
    uint64_t now = first;
    uint64_t end = first;
    loop->backwards = 0;
    for (size_t k = 0; k < loop->capacity; k++) {
        end = first + (uint64_t)((double)(k + 1) * loop->interval);
        uint64_t units = 0;
        while ((int64_t)(now - end) < 0) {
            work(context, iterations);
            const uint64_t next = read(clock);
            loop->backwards += (int64_t)(next - now) < 0;
            now = next;
            units++;
        }
        loop->sample[k] = units;
        if (loop->ask != NULL) {
            (void)loop->ask(loop->witness);
        }
    }
    loop->n = loop->capacity;
    loop->first = first;
    loop->last = end;
}

/** The loops on a real clock. */
void noise_quantum_measure_work(noise_quantum_loop *loop, noise_clock clock,
                                noise_quantum_work work, void *context);
void noise_quantum_measure_time(noise_quantum_loop *loop, noise_clock clock,
                                noise_quantum_work work, void *context);
