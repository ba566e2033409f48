/* noise/measure/selfish_loop.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The loop that notices when the CPU is away. It takes its clock as a function, which the compiler
 * puts in its place; tests pass one that lies.
 */
#pragma once

#include "host/presence.h"
#include "measure/clock.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t (*noise_tick_reader)(void *context);

/** Ticks on the clock's own scale, which may wrap around. */
typedef struct noise_gap {
    uint64_t start;
    uint64_t length; /* of the whole iteration */
} noise_gap;

typedef enum {
    NOISE_LOOP_TIME,     /* the time is over */
    NOISE_LOOP_FULL,     /* capacity gaps have been seen */
    NOISE_LOOP_TOO_MANY, /* more than 1 % of the iterations are gaps: the threshold is too low */
} noise_loop_end;

typedef struct noise_loop {
    uint64_t threshold; /* a gap is longer than this */
    uint64_t duration;  /* stop so many ticks after the first read */
    size_t capacity;    /* > 0 */
    noise_gap *gaps;    /* [capacity] */
    /* What happened in the gap that has just ended (noise_presence_answer); NULL: nobody asks */
    unsigned (*ask)(void *witness);
    void *witness;
    uint8_t *answers; /* [capacity] what .ask said of each gap; not used without it */
    size_t n;         /* gaps found; this and all below are results */
    uint64_t iterations;
    uint64_t first;     /* tick of the first read */
    uint64_t last;      /* tick of the last read */
    uint64_t backwards; /* steps of the clock back in time */
    uint64_t blind;     /* ticks in which the loop asked in place of looking */
} noise_loop;

/* Gaps after which their share is looked at. */
enum { NOISE_LOOP_PROBE = 1024 };

/*
 * After gap loop->n - 1. A question that is answered by a look at memory is shorter than any
 * threshold, and the next iteration takes it; where the kernel had to be asked, time starts anew.
 * Returns the tick to go on from.
 */
static inline __attribute__((always_inline)) uint64_t
noise_loop_ask(noise_loop *loop, uint64_t now, noise_tick_reader read, void *context)
{
    const unsigned answer = loop->ask(loop->witness);
    loop->answers[loop->n - 1] = (uint8_t)answer;
    if ((answer & NOISE_PRESENCE_KEPT) != 0) {
        return now;
    }
    const uint64_t after = read(context);
    loop->blind += after - now;
    return after;
}

/**
 * One subtraction and two branches that are predicted an iteration; everything else is in the
 * rare path of a gap. Differences are taken modulo 2^64, so a counter may wrap around.
 */
static inline __attribute__((always_inline)) noise_loop_end
noise_loop_run(noise_loop *loop, noise_tick_reader read, void *context)
{
    const uint64_t threshold = loop->threshold;
    const uint64_t duration = loop->duration;
    const uint64_t first = read(context);
    uint64_t previous = first;
    uint64_t iterations = 0;
    noise_loop_end end = NOISE_LOOP_TIME;
    loop->n = 0;
    loop->backwards = 0;
    loop->blind = 0;
    for (;;) {
        uint64_t now = read(context);
        const uint64_t gap = now - previous;
        iterations++;
        if (G_UNLIKELY(gap > threshold)) {
            if ((int64_t)gap < 0) {
                loop->backwards++;
                if (loop->backwards > NOISE_LOOP_PROBE) { /* not a clock; it may never end */
                    break;
                }
                continue; /* previous stays: time goes on where it was */
            }
            loop->gaps[loop->n++] = (noise_gap){previous, gap};
            if (loop->ask != NULL) {
                now = noise_loop_ask(loop, now, read, context);
            }
            if (loop->n == loop->capacity) {
                end = NOISE_LOOP_FULL;
                previous = now;
                break;
            }
            if (loop->n >= NOISE_LOOP_PROBE && loop->n > iterations / 100) {
                end = NOISE_LOOP_TOO_MANY;
                previous = now;
                break;
            }
        }
        previous = now;
        if (G_UNLIKELY(now - first >= duration)) {
            break;
        }
    }
    loop->iterations = iterations;
    loop->first = first;
    loop->last = previous;
    return end;
}

/** The loop on a real clock. */
noise_loop_end noise_loop_measure(noise_loop *loop, noise_clock clock);
/** n differences of consecutive reads. */
void noise_loop_sample(uint64_t *differences, size_t n, noise_clock clock);
