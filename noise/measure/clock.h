/* noise/measure/clock.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The finest clock of this machine, read so that no instruction before it is still on its way.
 * docs/noise.md, section 6.
 */
#pragma once

#include "sim/time.h"

#include <stdint.h>
#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

typedef enum {
    NOISE_CLOCK_SYSTEM, /* CLOCK_MONOTONIC_RAW: where no counter can be trusted */
    NOISE_CLOCK_RDTSCP,
    NOISE_CLOCK_RDTSC, /* after lfence: x86 without rdtscp */
    NOISE_CLOCK_CNTVCT,
} noise_clock;

/* Readers in the form that the loop takes; the context is not used. */

static inline uint64_t noise_clock_read_system(void *context)
{
    (void)context;
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

#if defined(__x86_64__)
static inline uint64_t noise_clock_read_rdtscp(void *context)
{
    (void)context;
    unsigned cpu;
    return __rdtscp(&cpu);
}

static inline uint64_t noise_clock_read_rdtsc(void *context)
{
    (void)context;
    _mm_lfence();
    return __rdtsc();
}
#elif defined(__aarch64__)
static inline uint64_t noise_clock_read_cntvct(void *context)
{
    (void)context;
    uint64_t ticks;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks)::"memory");
    return ticks;
}
#endif

/** The best clock that neither stops nor changes its rate here. @param why [out] static text */
noise_clock noise_clock_choose(const char **why);
/** "tsc (rdtscp)" and so on; static. */
const char *noise_clock_name(noise_clock clock);
uint64_t noise_clock_read(noise_clock clock);
