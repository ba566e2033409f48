/* classes/class_tick.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "classes/class_tick.h"

#include "classes/class_switches.h"

#include <math.h>
#include <time.h>

enum { BINS = 256 };
/* A fraction of the tick's instants may lie in other detours, or come too late. */
static const double LEAST_FOUND = 0.5;
static const double ABOVE_CHANCE = 5; /* standard deviations */
static const double FEWEST = 10;

/* From the phase, -period/2..period/2. */
static double distance(const noise_class_tick *tick, const noise_measurement_cpu *cpu,
                       sim_time start)
{
    const double period = 1e9 / tick->hz;
    return remainder(noise_class_instant(cpu, start) - tick->phase_ns, period);
}

bool noise_class_is_tick(const noise_class_tick *tick, const noise_measurement_cpu *cpu,
                         sim_time start)
{
    return tick->hz != 0 && fabs(distance(tick, cpu, start)) <= tick->tolerance_ns;
}

/* The fullest three bins in a row, and in them the mean phase. */
static noise_class_tick fold(const noise_measurement_cpu *cpu, uint32_t hz)
{
    const double period = 1e9 / hz;
    size_t bins[BINS] = {0};
    for (size_t i = 0; i < cpu->n; i++) {
        const double at = fmod(noise_class_instant(cpu, cpu->start[i]), period) / period;
        bins[(size_t)(at * BINS) % BINS]++;
    }
    size_t best = 0;
    size_t most = 0;
    for (size_t b = 0; b < BINS; b++) {
        const size_t sum = bins[(b + BINS - 1) % BINS] + bins[b] + bins[(b + 1) % BINS];
        best = sum > most ? b : best;
        most = MAX(most, sum);
    }
    noise_class_tick tick = {.hz = hz,
                             .phase_ns = ((double)best + 0.5) / BINS * period,
                             .tolerance_ns = 1.5 / BINS * period};
    double sum = 0;
    size_t near = 0;
    for (size_t i = 0; i < cpu->n; i++) {
        if (noise_class_is_tick(&tick, cpu, cpu->start[i])) {
            sum += distance(&tick, cpu, cpu->start[i]);
            near++;
        }
    }
    tick.phase_ns += near > 0 ? sum / (double)near : 0;
    for (size_t i = 0; i < cpu->n; i++) {
        tick.found += noise_class_is_tick(&tick, cpu, cpu->start[i]);
    }
    tick.by_chance = (double)cpu->n * 2 * tick.tolerance_ns / period;
    return tick;
}

noise_class_tick noise_class_find_tick(const noise_measurement_cpu *cpu, uint32_t hz,
                                       uint64_t timer_count)
{
    /* What strikes while the thread is away anyway is no detour of its own. */
    double away = 0;
    for (size_t i = 0; i < cpu->n; i++) {
        away += (double)cpu->length[i];
    }
    const double ticks = (double)cpu->duration / (double)SIM_S * hz;
    const double there = cpu->duration > 0 ? 1 - away / (double)cpu->duration : 0;
    const double wanted = ticks * there;
    if ((double)timer_count < LEAST_FOUND * ticks || wanted < FEWEST) {
        return (noise_class_tick){0};
    }
    const noise_class_tick tick = fold(cpu, hz);
    const double excess = (double)tick.found - tick.by_chance;
    return excess >= LEAST_FOUND * wanted && excess > ABOVE_CHANCE * sqrt(tick.by_chance)
               ? tick
               : (noise_class_tick){0};
}

uint32_t noise_class_kernel_hz(void)
{
    struct timespec resolution; /* of the clock that the tick sets */
    if (clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) != 0 || resolution.tv_sec != 0 ||
        resolution.tv_nsec <= 0) {
        return 0;
    }
    return (uint32_t)lround(1e9 / (double)resolution.tv_nsec);
}
