/* noise/detour_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Files of detours: Netgauge's selfish output (several runs in one file), LogGOPSim's two
 * columns, Ripple's own (Netgauge's columns under a header that ends in one line of JSON);
 * plain or .gz. noise-bench.md section 2.
 */
#pragma once

#include "noise/error.h"
#include "sim/time.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct noise_detour_run {
    size_t n;
    sim_time *start;  /* [n] ps */
    sim_time *length; /* [n] ps */
    sim_time period;  /* ps; end of the measurement as stated, else end of the last detour */
} noise_detour_run;

typedef struct noise_detour_file {
    size_t num_runs;
    noise_detour_run *runs; /* [num_runs] */
    char *json;             /* Ripple's header object, or NULL */
} noise_detour_file;

/** @return owned by the caller; NULL with NOISE_ERROR naming file, line and value */
noise_detour_file *noise_detour_file_read(const char *path, GError **error);
void noise_detour_file_free(noise_detour_file *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_detour_file, noise_detour_file_free)
