/* noise/detours/drift.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "detours/drift.h"

#include "noise/random.h"

#include <assert.h>
#include <glib.h>
#include <math.h>

enum { RATE_BITS = 60 };
static const double MOST_GAINED = 0.5;
static const sim_time HORIZON = 2 * SIM_TIME_MAX;

typedef unsigned __int128 wide;

uint64_t noise_drift_rate(double ppm, uint64_t seed, uint64_t stream, uint64_t node)
{
    const double gained = noise_random_normal(seed, stream, node) * ppm * 1e-6;
    const double kept = CLAMP(gained, -MOST_GAINED, MOST_GAINED);
    return NOISE_DRIFT_TRUE + (uint64_t)llround(ldexp(kept, RATE_BITS));
}

/* f: what the clock shows at @p t. Below 1.5 * 1.5 * 2^62 < 2^64. */
static inline uint64_t clock_at(uint64_t rate, sim_time t)
{
    return (uint64_t)((wide)t * rate >> RATE_BITS);
}

/* g: when it shows @p x for the first time, at most HORIZON. */
static inline sim_time when_clock_is(uint64_t rate, uint64_t x)
{
    const wide t = (((wide)x << RATE_BITS) + rate - 1) / rate;
    return t < (wide)HORIZON ? (sim_time)t : HORIZON;
}

/* The first detour of a period that has not ended at @p pos (0..period - 1); n: the one of the next
 * period. */
static size_t first_not_over(const sim_detours *d, sim_time pos)
{
    const size_t cell = (size_t)((uint64_t)pos >> d->shift);
    size_t low = d->over[cell]; /* the answer is in low..high */
    size_t high = d->over[cell + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (d->at[middle].end <= pos) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

sim_time noise_drift_finish(const sim_detours *d, uint64_t rate, sim_time offset, sim_time ready,
                            sim_time work)
{
    assert(offset >= 0 && offset <= d->period);
    assert(ready >= 0 && ready <= HORIZON && work >= 0 && work <= SIM_TIME_MAX);
    if (work == 0) {
        return ready;
    }
    const uint64_t from = (uint64_t)offset; /* positions count from the beginning of the trace */
    const uint64_t period = (uint64_t)d->period;
    const uint64_t place = from + clock_at(rate, ready);
    uint64_t lap = place / period * period;
    size_t i = first_not_over(d, (sim_time)(place - lap));
    sim_time now = ready;
    while (now < HORIZON) {
        if (i == d->n) {
            i = 0;
            lap += period;
        }
        const uint64_t start = lap + (uint64_t)d->at[i].start;
        const uint64_t end = lap + (uint64_t)d->at[i].end;
        if (start > from) {
            if (clock_at(rate, now + work - 1) < start - from) { /* done before it begins */
                return MIN(now + work, HORIZON);
            }
            work -= MAX(when_clock_is(rate, start - from) - now, 0);
        }
        now = when_clock_is(rate, end - from);
        i++;
    }
    return HORIZON;
}
