/* noise/detour_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Files of detours: Netgauge's selfish output (several runs in one file), LogGOPSim's two
 * columns, Ripple's own (Netgauge's columns under a header that ends in one line of JSON);
 * plain or .gz. docs/noise.md, section 5. A *divided* file says of each detour which of its named
 * sources it comes from.
 */
#pragma once

#include "noise/error.h"
#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

/** A file has so many sources at most: the smallest of more are read as one. */
enum { NOISE_DETOUR_MOST_SOURCES = 60 };

typedef struct noise_detour_run {
    size_t n;
    sim_time *start;  /* [n] ps */
    sim_time *length; /* [n] ps */
    sim_time period;  /* ps; the stated end of the measurement, or a later end of the last detour */
    uint16_t *source; /* [n] index into the sources of the file; NULL: it is not divided */
    uint32_t node;    /* where it was measured, counted from 0; UINT32_MAX: not known */
    uint32_t cpu;     /* as the kernel of the node numbers it; UINT32_MAX: not known */
    /* What a method with samples measured, from which the detours were made. */
    size_t num_samples; /* 0: the method has none, or they are not known */
    double *sample;    /* [num_samples] fwq: ps that the work took; ftq: work done in an interval */
    sim_time interval; /* ps, of ftq; 0: not ftq */
} noise_detour_run;

typedef struct noise_detour_source {
    char *name;     /* "cron" */
    char *kind;     /* "scheduler", "interrupt", "steal or firmware", "program", "not known" */
    char *evidence; /* one line, or NULL */
} noise_detour_source;

typedef struct noise_detour_file {
    size_t num_runs;
    noise_detour_run *runs;       /* [num_runs] */
    size_t num_sources;           /* 0: not divided; else at most NOISE_DETOUR_MOST_SOURCES */
    noise_detour_source *sources; /* [num_sources] */
    char *method;                 /* "selfish", "fwq", "ftq", ...; NULL: not known */
    char *json;                   /* Ripple's header object, or NULL */
    /* Of the first lines "# Sysname :", "# Nodename:", "# Release :"; "" where they say nothing,
     * NULL where there are none. */
    char *system;
    char *host;
    char *release;
    char *note; /* how detours were made of what was measured, a sentence or two; NULL: they are
                 * what was measured */
} noise_detour_file;

/**
 * Read all of @p path. A run ends at its line "# Measurement period:", at the next header
 * ("# Benchmark Method", "# Time [ns]"), or where a start is 0 again. Its period is the one of that
 * line, else the JSON's (cpus[run].duration_ns), else the end of its last detour. Detours that
 * overlap by 0.02 ns or less, as two decimals may, are made to touch. O(size).
 * @return owned by the caller, with at least one run; NULL with NOISE_ERROR_BAD_FILE or
 *   NOISE_ERROR_BAD_DETOUR naming file, line and value
 */
noise_detour_file *noise_detour_file_read(const char *path, GError **error);
/** The same from memory, uncompressed; messages call it @p name. */
noise_detour_file *noise_detour_file_parse(const char *name, const char *text, size_t size,
                                           GError **error);
void noise_detour_file_free(noise_detour_file *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_detour_file, noise_detour_file_free)

/**
 * The file as text that noise_detour_file_read() reads back: the line of JSON (that of the file,
 * with its runs and sources as they are now), then each run under Netgauge's header. Exact to the
 * picosecond. Samples are not written.
 * @param divided write the third column, if there are sources; false: what other programs read
 * @return owned by the caller
 */
char *noise_detour_file_to_text(const noise_detour_file *file, bool divided);
/**
 * The parts of it, for who has a header of his own. Data lines of @p run: start, length and, if it
 * is divided, source. O(n).
 */
void noise_detour_run_append_lines(GString *out, const noise_detour_run *run);
/** "[{"name": ..., "kind": ..., "evidence": ...}, ...]" on one line. Owned by the caller. */
char *noise_detour_sources_to_json(const noise_detour_source *sources, size_t n);

G_END_DECLS
