/* noise/measure/evidence.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the parts of a measurement tell each other.
 */
#pragma once

#include "gate/gate.h"
#include "measure/watch.h"
#include "noise/measurement.h"

#include <stdbool.h>
#include <stdint.h>

/* Everything about one window that is not a detour; what verdict and provenance are made of. */
typedef struct noise_evidence {
    const noise_watch *watch;         /* [num_cpus] */
    const noise_gate_offset *offsets; /* [num_cpus] */
    noise_quota quota[2];             /* before, after */
    noise_ran_counts *ran[2];
    const char *clock_why;
    bool limited; /* a full buffer is the number of events that was asked for */
} noise_evidence;

/** Sets result->valid and ->verdict. */
void noise_measurement_judge(noise_measurement *result, const noise_evidence *evidence);
/** JSON object. Owned by the caller. */
char *noise_measurement_describe_host(const noise_measurement *result,
                                      const noise_evidence *evidence);

/** All of them, and the array. */
void noise_measurement_cpus_free(noise_measurement_cpu *cpus, size_t n);
