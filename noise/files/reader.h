/* noise/files/reader.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What readers of all formats fill: runs of detours, and the sources these come from.
 */
#pragma once

#include "noise/detour_file.h"

typedef struct noise_file_format noise_file_format;

/** Netgauge prints two decimals of a nanosecond, rounded: start, length and the next start may be
 * off by 5 ps each. */
static const sim_time NOISE_FILE_ROUNDING = 20;

enum { NOISE_FILE_FIELD = 40, NOISE_NO_SOURCE = UINT32_MAX };

/** What is known of a complete run's period; which one holds is settled at the end of the file. */
typedef struct noise_run_end {
    sim_time stated; /* said in the file; -1: not */
    sim_time last;   /* end of the last detour */
    size_t line;     /* of the statement, or of the last detour */
} noise_run_end;

typedef struct noise_reader {
    const char *name;
    size_t line;
    GError **error;
    GArray *runs;        /* of noise_detour_run, complete */
    GArray *ends;        /* of noise_run_end, beside them */
    GArray *start;       /* of sim_time: the run that is being read */
    GArray *length;      /* of sim_time */
    GArray *source;      /* of uint16_t; empty: not divided */
    sim_time end;        /* of its last detour */
    uint32_t node, cpu;  /* of it; UINT32_MAX: not known */
    GArray *sources;     /* of noise_detour_source */
    GHashTable *indices; /* by name: index + 1 into sources */
    char *method, *json, *system, *host, *release, *note;
    size_t json_line;
    const noise_file_format *format;
    void *state;                /* the format's own */
    void (*clear)(void *state); /* may be NULL */
} noise_reader;

/** @param name of the file; borrowed, as @p error is */
noise_reader *noise_reader_new(const char *name, GError **error);
void noise_reader_free(noise_reader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_reader, noise_reader_free)

/** @return false, with an error that names file and @p line */
bool noise_reader_fail(const noise_reader *reader, noise_error code, size_t line,
                       const char *format, ...) G_GNUC_PRINTF(4, 5);
/** The same of the line at hand: "BEFORE'FIELD'AFTER", with the first field of @p text. */
bool noise_reader_refuse(const noise_reader *reader, const char *before, const char *text,
                         const char *after);
/** The first field of @p text, cut to what fits into a message. @return @p out */
const char *noise_reader_field(const char *text, char out[NOISE_FILE_FIELD]);

/** The source of that name, which begins here if there is none. At most UINT16_MAX - 1; what is
 * beyond is the last. @param kind static or not: copied, as the others are */
uint32_t noise_reader_source(noise_reader *reader, const char *name, const char *kind,
                             const char *evidence);
/**
 * The next detour of the run; one that overlaps the one before by rounding alone is cut.
 * @param source of all detours of a file, or NOISE_NO_SOURCE of all
 * @param text   its start as it stands in the file, for messages
 */
bool noise_reader_add(noise_reader *reader, sim_time start, sim_time length, uint32_t source,
                      const char *text);
/** Here the run ends. @param stated its period, or -1; then a run without detours is none */
void noise_reader_end_run(noise_reader *reader, sim_time stated);
/** What measured, where the file has not said it. */
void noise_reader_method(noise_reader *reader, const char *method);
/** What is to be known of how the detours were made. The first one holds. */
void noise_reader_note(noise_reader *reader, const char *note);
/** What was read, when all has been: periods are settled, small sources joined. NULL with an error.
 */
noise_detour_file *noise_reader_file(noise_reader *reader);
