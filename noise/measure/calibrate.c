/* noise/measure/calibrate.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_selfish_loop. */
#include "measure/calibrate.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

static int by_value(const void *pa, const void *pb)
{
    const uint64_t a = *(const uint64_t *)pa;
    const uint64_t b = *(const uint64_t *)pb;
    return (a > b) - (a < b);
}

noise_iteration noise_calibrate_iteration(uint64_t *differences, size_t n)
{
    qsort(differences, n, sizeof *differences, by_value);
    size_t first = 0;
    while (first < n && differences[first] <= 1) {
        first++;
    }
    const size_t kept = n - first;
    if (kept < n / 10 + 1) {
        return (noise_iteration){.t_min = 1, .typical = 1, .coarse_clock = true};
    }
    const uint64_t *d = differences + first;
    noise_iteration out = {.t_min = d[kept / 100], .typical = d[kept / 2]};
    double sum = 0; /* without the slowest, which are detours */
    const size_t normal = kept - kept / 100;
    for (size_t i = 0; i < normal; i++) {
        sum += (double)d[i];
    }
    if (sum / (double)normal >= 3 * (double)out.t_min) {
        out.t_min = out.typical;
    }
    out.two_speeds = (double)out.typical >= 1.3 * (double)out.t_min;
    return out;
}

uint64_t noise_calibrate_threshold(const noise_iteration *iteration, double factor, sim_time floor,
                                   double ticks_per_second)
{
    const double relative = factor * (double)iteration->t_min;
    const double absolute = (double)floor / (double)SIM_S * ticks_per_second;
    return (uint64_t)ceil(MAX(MAX(relative, absolute), 2));
}

noise_anchor noise_anchor_take_on(noise_clock clock, clockid_t system_clock)
{
    enum { BRACKETS = 20 };
    noise_anchor best = {.width = UINT64_MAX};
    for (int i = 0; i < BRACKETS; i++) {
        struct timespec now;
        const uint64_t before = noise_clock_read(clock);
        (void)clock_gettime(system_clock, &now);
        const uint64_t after = noise_clock_read(clock);
        if (after - before < best.width) {
            best.width = after - before;
            best.ticks = before + best.width / 2;
            best.ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
        }
    }
    return best;
}

noise_anchor noise_anchor_take(noise_clock clock)
{
    return noise_anchor_take_on(clock, CLOCK_MONOTONIC_RAW);
}

int64_t noise_anchor_at(const noise_anchor *a, const noise_anchor *b, uint64_t ticks)
{
    const double slope = (double)(b->ns - a->ns) / (double)(int64_t)(b->ticks - a->ticks);
    return a->ns + (int64_t)llround((double)(int64_t)(ticks - a->ticks) * slope);
}

double noise_anchor_rate(const noise_anchor *a, const noise_anchor *b)
{
    return (double)(b->ticks - a->ticks) / (double)(b->ns - a->ns) * 1e9;
}

double noise_anchor_bracket_ppm(const noise_anchor *a, const noise_anchor *b)
{
    return (double)(a->width + b->width) / 2 / (double)(b->ticks - a->ticks) * 1e6;
}

sim_time noise_ticks_to_time(uint64_t ticks, double ticks_per_second)
{
    /* Picoseconds of hours need more than the 53 bits of a double. */
    const uint64_t seconds = (uint64_t)((double)ticks / ticks_per_second);
    const double rest = (double)ticks - (double)seconds * ticks_per_second;
    return (sim_time)seconds * SIM_S + (sim_time)llround(rest / ticks_per_second * (double)SIM_S);
}
