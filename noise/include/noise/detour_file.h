/* noise/detour_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Files of detours: Netgauge's selfish output (several runs in one file), LogGOPSim's two
 * columns, Ripple's own (Netgauge's columns under a header that ends in one line of JSON);
 * plain or .gz. docs/noise.md, section 5.
 */
#pragma once

#include "noise/error.h"
#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef struct noise_detour_run {
    size_t n;
    sim_time *start;  /* [n] ps */
    sim_time *length; /* [n] ps */
    sim_time period;  /* ps; the stated end of the measurement, or a later end of the last detour */
} noise_detour_run;

typedef struct noise_detour_file {
    size_t num_runs;
    noise_detour_run *runs; /* [num_runs] */
    char *json;             /* Ripple's header object, or NULL */
    /* Of the first lines "# Sysname :", "# Nodename:", "# Release :"; "" where they say nothing,
     * NULL where there are none. */
    char *system;
    char *host;
    char *release;
} noise_detour_file;

/**
 * Read all of @p path. A run ends at its line "# Measurement period:", at the next header
 * ("# Benchmark Method", "# Time [ns]"), or where a start is 0 again. Its period is the one of that
 * line, else the JSON's (cpus[run].duration_ns), else the end of its last detour. Detours that
 * overlap by 0.02 ns or less, as two decimals may, are made to touch. O(size).
 * @return owned by the caller, with at least one run of at least one detour each; NULL with
 *   NOISE_ERROR_BAD_FILE or NOISE_ERROR_BAD_DETOUR naming file, line and value
 */
noise_detour_file *noise_detour_file_read(const char *path, GError **error);
/** The same from memory, uncompressed; messages call it @p name. */
noise_detour_file *noise_detour_file_parse(const char *name, const char *text, size_t size,
                                           GError **error);
void noise_detour_file_free(noise_detour_file *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_detour_file, noise_detour_file_free)

G_END_DECLS
