/* sched/writer.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The formats that programs are written in: a row of SCHED_WRITERS each, and a descriptor in the
 * folder of the format.
 */
#pragma once

#include "sched/rank_source.h"
#include "sim/graph.h"

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

typedef struct sched_writer {
    const char *what;        /* "GOAL binary", in help */
    const char *suffixes[3]; /* what names of such files end in; up to the first NULL */
    uint32_t op_bytes;       /* least bytes of an operation in a file; 0: not known */
    bool gathers;            /* a stream of it takes that room twice until it is written */
    /**
     * One of the two is set, or both: then both write the same, but a stream has no names of
     * operations. All or nothing; @p path NULL: standard output, as it is made.
     */
    bool (*write_stream)(sched_rank_source *source, const char *path, GError **error);
    bool (*write_graph)(const sim_graph *graph, const char *path, GError **error);
} sched_writer;

/** ROW(ID, NAME) stands for sched_writer_ID. NAME is what users call the format; it is repeated
 * here for lists of names that have to be constant. */
#define SCHED_WRITERS(ROW)                                                                         \
    ROW(goal, "goal")                                                                              \
    ROW(goal_binary, "goal-binary")                                                                \
    ROW(native, "native")                                                                          \
    ROW(graphml, "graphml")                                                                        \
    ROW(dot, "dot")

#define SCHED_WRITER_DECLARE(ID, NAME) extern const sched_writer sched_writer_##ID;
SCHED_WRITERS(SCHED_WRITER_DECLARE)

/** In the order of the rows; NULL-terminated. */
extern const sched_writer *const sched_writers[];

G_END_DECLS
