/* bench/bench_noise.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What one noise look-up costs: 1e5 detours, many ranks, short and long work, beside a plain scan.
 */
#include "noise/detour_trace.h"
#include "noise/random.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

enum { DETOURS = 100000, RANKS = 4096, CALLS = 10000000 };

typedef struct load {
    const char *name;
    sim_time work;
    sim_time step; /* by which a rank's clock moves on between look-ups */
} load;

static noise_detour_trace *make_trace(void)
{
    sim_time *start = g_new(sim_time, DETOURS);
    sim_time *length = g_new(sim_time, DETOURS);
    sim_time now = 0;
    for (size_t i = 0; i < DETOURS; i++) { /* 4 ms apart on average, 1..20 us long: 0.26 % */
        now += SIM_US + (sim_time)noise_random_below(1, 1, i, 8 * SIM_MS);
        start[i] = now;
        length[i] = SIM_US + (sim_time)noise_random_below(1, 2, i, 19 * SIM_US);
        now += length[i];
    }
    noise_detour_trace *trace = noise_detour_trace_new(start, length, DETOURS, now + SIM_US, NULL);
    g_free(start);
    g_free(length);
    return trace;
}

static void measure(const noise_detour_trace *trace, const load *l, bool dependent)
{
    static sim_time now[RANKS];
    static sim_time offset[RANKS];
    for (uint32_t r = 0; r < RANKS; r++) {
        now[r] = 0;
        offset[r] =
            (sim_time)noise_random_below(1, 3, r, (uint64_t)noise_detour_trace_period(trace));
    }
    sim_time last = 0;
    double added = 0;
    const clock_t begin = clock(); /* CPU time: others may run */
    for (uint32_t i = 0; i < CALLS; i++) {
        const uint32_t r = i % RANKS;
        const sim_time hurry = dependent ? last & 1 : 0; /* the next call needs this one's result */
        const sim_time end = noise_detour_trace_finish(trace, offset[r], now[r] + hurry, l->work);
        added += (double)(end - now[r] - l->work);
        last = end;
        now[r] = end + l->step;
    }
    const double ns = (double)(clock() - begin) / CLOCKS_PER_SEC * 1e9 / CALLS;
    printf("%-28s %-11s %6.1f ns/look-up  (%.4f %% added)\n", l->name,
           dependent ? "dependent" : "independent", ns, 100 * added / ((double)l->work * CALLS));
}

int main(void)
{
    static const load loads[] = {
        {"1 us of work", SIM_US, 5 * SIM_US},
        {"1 us, clocks far apart", SIM_US, 37 * SIM_MS},
        {"1 ms of work", SIM_MS, 5 * SIM_US},
        {"1 s of work", SIM_S, 5 * SIM_US},
        {"1000 s (several periods)", 1000 * SIM_S, 5 * SIM_US},
    };
    g_autoptr(noise_detour_trace) trace = make_trace();
    printf("# %d detours, %d ranks, %d look-ups each\n", DETOURS, RANKS, CALLS);
    for (size_t i = 0; i < G_N_ELEMENTS(loads); i++) {
        measure(trace, &loads[i], false);
        measure(trace, &loads[i], true);
    }
    return 0;
}
