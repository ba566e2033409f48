/* noise/traces/tail.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/tail.h"

#include <math.h>

/* The longest ones, in order. */
typedef struct longest {
    sim_time length[NOISE_TAIL_ENOUGH]; /* 0: there are not so many */
} longest;

static void take(longest *l, sim_time length)
{
    for (int i = 0; i < NOISE_TAIL_ENOUGH; i++) {
        if (length > l->length[i]) {
            const sim_time next = l->length[i];
            l->length[i] = length;
            length = next;
        }
    }
}

noise_tail noise_tail_of(const noise_detour_trace *trace)
{
    longest l = {{0}};
    for (size_t i = 0; i < noise_detour_trace_count(trace); i++) {
        take(&l, noise_detour_trace_length(trace, i));
    }
    /* At least half as long as detour i are five or more exactly where the fifth longest is. */
    const sim_time fifth = l.length[NOISE_TAIL_ENOUGH - 1];
    noise_tail tail = {.measured = noise_detour_trace_period(trace)};
    for (uint32_t i = 0; i < NOISE_TAIL_ENOUGH - 1 && l.length[i] > 2 * fifth; i++) {
        tail.count = i + 1;
        tail.shortest = l.length[i];
    }
    tail.longest = tail.count > 0 ? l.length[0] : 0;
    return tail;
}

noise_tail_reach noise_tail_reach_of(const noise_tail *tail, uint32_t ranks, sim_time length)
{
    const double lived = (double)ranks * (double)length;
    return (noise_tail_reach){.lived = lived,
                              .expected = lived / (double)tail->measured * tail->count,
                              .every = tail->count > 0
                                           ? (double)tail->measured / ((double)ranks * tail->count)
                                           : INFINITY,
                              .needed = NOISE_TAIL_ENOUGH * lived};
}
