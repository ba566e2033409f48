/* sched/reader.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The formats that programs are read from. Each is a row of SCHED_READERS and a descriptor in the
 * folder of its format; which one a path has is found by asking them in the order of the rows.
 */
#pragma once

#include "sched/trace.h"
#include "sim/graph.h"

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

typedef struct sched_read_options {
    bool strict;             /* GOAL: only what the reference's own converter accepts */
    double flops_per_second; /* what turns flops into time; 0: not known */
    bool pack;               /* traces: packed (sched_trace_pack()), if possible rank by rank */
} sched_read_options;

/** The content of a file: one of the two. Owned by the caller of open(). */
typedef struct sched_input {
    sim_graph *graph;   /* a schedule, stored */
    sched_trace *trace; /* a recorded program */
} sched_input;

typedef struct sched_reader {
    const char *name;        /* in errors: "GOAL" */
    const char *forms;       /* in help: "GOAL text or binary" */
    const char *description; /* of a stored schedule: "GOAL schedule"; NULL: the format is a trace,
                                and sched_trace.format says what wrote it */
    bool takes_flops;        /* computation is given in flops */
    /** Does @p path, a file or folder, look like one? False for anything unreadable. */
    bool (*probe)(const char *path);
    /** @return false with an error that names file, line or record, and value; @p out is then
     * unchanged. SCHED_ERROR_NOT_RECOGNISED: the probe was wrong. */
    bool (*open)(const char *path, const sched_read_options *options, sched_input *out,
                 GError **error);
    /** Files and folders that belong to @p path, but lie neither at nor below it; owned by the
     * caller. May be NULL: there are none. */
    char **(*beside)(const char *path);
} sched_reader;

/** ROW(NAME) stands for sched_reader_NAME. */
#define SCHED_READERS(ROW)                                                                         \
    ROW(native)                                                                                    \
    ROW(goal)                                                                                      \
    ROW(otf2)                                                                                      \
    ROW(liballprof)                                                                                \
    ROW(dumpi)                                                                                     \
    ROW(simgrid)

#define SCHED_READER_DECLARE(NAME) extern const sched_reader sched_reader_##NAME;
SCHED_READERS(SCHED_READER_DECLARE)

/** In the order of the rows; NULL-terminated. */
extern const sched_reader *const sched_readers[];

/** The reader of @p path, or NULL. */
const sched_reader *sched_reader_find(const char *path);
/**
 * What can be read: names ("OTF2, liballprof"), or forms, separated by semicolons; of traces, or of
 * stored schedules. Owned by the caller.
 */
char *sched_reader_names(bool traces);
char *sched_reader_forms(bool traces);

G_END_DECLS
