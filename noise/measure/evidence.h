/* noise/measure/evidence.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the parts of a measurement tell each other.
 */
#pragma once

#include "measure/watch.h"
#include "noise/measurement.h"

#include <stdbool.h>
#include <stdint.h>

/* What the kernel counts; -1: it does not say. */
typedef struct noise_host_counters {
    int64_t steal;     /* clock ticks stolen from the measured CPUs by a hypervisor */
    int64_t throttled; /* times that a cgroup's quota stopped this process */
} noise_host_counters;

noise_host_counters noise_host_counters_read(const noise_measurement_cpu *cpus, size_t n);

/* Everything about one window that is not a detour; what verdict and provenance are made of. */
typedef struct noise_evidence {
    const noise_watch *watch; /* [num_cpus] */
    noise_host_counters before;
    noise_host_counters after;
    const char *clock_why;
    bool limited; /* a full buffer is the number of events that was asked for */
} noise_evidence;

/** Sets result->valid and ->verdict. */
void noise_measurement_judge(noise_measurement *result, const noise_evidence *evidence);
/** JSON object. Owned by the caller. */
char *noise_measurement_describe_host(const noise_measurement *result,
                                      const noise_evidence *evidence);

/** First line of a file, or NULL; "%u" in @p path stands for @p cpu. Owned by the caller. */
char *noise_host_line(const char *path, unsigned cpu);
/** All of them, and the array. */
void noise_measurement_cpus_free(noise_measurement_cpu *cpus, size_t n);
