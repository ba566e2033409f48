/* noise/places/drift.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "places/drift.h"

#include "noise/detour_tables.h"
#include "noise/random.h"

#include <assert.h>
#include <glib.h>
#include <math.h>

static const double MOST_GAINED = 0.5;
static const sim_time HORIZON = 2 * SIM_TIME_MAX;

uint64_t noise_drift_rate(double ppm, uint64_t seed, uint64_t stream, uint64_t node)
{
    const double gained = noise_random_normal(seed, stream, node) * ppm * 1e-6;
    const double kept = CLAMP(gained, -MOST_GAINED, MOST_GAINED);
    return NOISE_DRIFT_TRUE + (uint64_t)llround(ldexp(kept, NOISE_DRIFT_BITS));
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
    const uint64_t place = from + noise_drift_clock(rate, ready);
    uint64_t lap = place / period * period;
    size_t i = noise_detours_first_not_over(d, (sim_time)(place - lap));
    sim_time now = ready;
    while (now < HORIZON) {
        if (i == d->n) {
            i = 0;
            lap += period;
        }
        const uint64_t start = lap + (uint64_t)d->at[i].start;
        const uint64_t end = lap + (uint64_t)d->at[i].end;
        if (start > from) {
            if (noise_drift_clock(rate, now + work - 1) <
                start - from) { /* done before it begins */
                return MIN(now + work, HORIZON);
            }
            work -= MAX(noise_drift_wall(rate, start - from) - now, 0);
        }
        now = noise_drift_wall(rate, end - from);
        i++;
    }
    return HORIZON;
}
