/* noise/cpu_record.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Who ran on each CPU, exactly, for as long as it is listened to: a thread that empties the
 * kernel's rings (noise/switches.h, CPU mode) into memory. Needs root or a permissive kernel. Not
 * installed.
 */
#pragma once

#include "noise/switches.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/** A CPU's slices are kept up to here, 32 MB, and as many names, 40 MB; what comes later is counted
 * as lost. */
enum { NOISE_CPU_RECORD_MOST = 1 << 20 };

typedef struct noise_cpu_slices {
    uint32_t cpu;
    uint64_t lost; /* records that the kernel or this had no room for */
    size_t n;
    noise_switch *slice; /* [n] by time */
    size_t num_names;
    noise_switch_name *name; /* [num_names] of threads that began, or took a name, there; by time */
} noise_cpu_slices;

typedef struct noise_cpu_record noise_cpu_record;

/**
 * Begin to listen to all CPUs that are on line; the thread takes no signals and wakes 50 times a
 * second.
 * @return owned by the caller, to be ended by noise_cpu_record_stop(); NULL with
 * NOISE_ERROR_MEASURE: it is not allowed
 */
noise_cpu_record *noise_cpu_record_start(GError **error);
/** End it. @return GArray of noise_cpu_slices that frees what it holds; owned by the caller */
GArray *noise_cpu_record_stop(noise_cpu_record *record);
