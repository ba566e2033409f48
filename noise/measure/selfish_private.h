/* noise/measure/selfish_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the parts of a selfish measurement tell each other.
 */
#pragma once

#include "measure/calibrate.h"
#include "measure/selfish_loop.h"
#include "noise/selfish.h"

#include <stdbool.h>
#include <stdint.h>

/* What happened to one CPU's loop, beyond its detours. */
typedef struct noise_selfish_watch {
    noise_iteration iteration;
    noise_loop_end end;
    uint64_t backwards; /* steps of the clock */
    bool bound;         /* binding worked */
    bool moved;         /* yet ran elsewhere in the end */
    int64_t voluntary;  /* context switches during the loop */
    int64_t involuntary;
    int64_t page_faults;
} noise_selfish_watch;

/* What the kernel counts; -1: it does not say. */
typedef struct noise_host_counters {
    int64_t steal;     /* clock ticks stolen from the measured CPUs by a hypervisor */
    int64_t throttled; /* times that a cgroup's quota stopped this process */
} noise_host_counters;

noise_host_counters noise_host_counters_read(const noise_selfish_cpu *cpus, size_t n);

/* Everything about a measurement that is not a detour; what verdict and provenance are made of. */
typedef struct noise_selfish_evidence {
    const noise_selfish_watch *watch; /* [num_cpus] */
    noise_host_counters before;
    noise_host_counters after;
    const char *clock_why;
    bool limited; /* a full buffer is the number of events that was asked for */
} noise_selfish_evidence;

/** Sets result->valid and ->verdict. */
void noise_selfish_judge(noise_selfish_result *result, const noise_selfish_evidence *evidence);
/** JSON object. Owned by the caller. */
char *noise_selfish_describe_host(const noise_selfish_result *result,
                                  const noise_selfish_evidence *evidence);

/** First line of a file, or NULL; "%u" in @p path stands for @p cpu. Owned by the caller. */
char *noise_host_line(const char *path, unsigned cpu);
/** Share of the loop's time that one CPU lost, 0..1. */
static inline double noise_selfish_cpu_share(const noise_selfish_cpu *cpu)
{
    double stolen = 0;
    for (size_t i = 0; i < cpu->n; i++) {
        stolen += (double)cpu->length[i];
    }
    return cpu->duration > 0 ? stolen / (double)cpu->duration : 0;
}
