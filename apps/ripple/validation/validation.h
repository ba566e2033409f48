/* apps/ripple/validation/validation.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What was predicted against the clock: pairs of runs of one command, one of them recorded and
 * simulated, the other only timed. docs/validate.md.
 */
#pragma once

#include "statistics/statistics.h"
#include "validation/call_times.h"
#include "validation/spans.h"

#include <glib.h>
#include <stdbool.h>

#define APP_VALIDATION_LEVEL 0.95
/** From this many runs on there is an interval of 95 % of a median: 1 - 2 / 2^6. */
#define APP_VALIDATION_LEAST 6
/** Beyond this a collective is not as it was recorded. */
#define APP_VALIDATION_COLLECTIVES 0.1
/** First calls of a name that take more than so many times what later ones take are a row of their
 * own. */
#define APP_VALIDATION_FIRST 3
/** Share of the wall clock beyond which a rank that was off its CPU is said. */
#define APP_VALIDATION_DISTURBED 0.05

/** One pair. */
typedef struct app_validation_pair {
    app_spans *spans;      /* of the run that was not recorded */
    sim_time command;      /* that run from start to end, launcher and all */
    app_call_times *times; /* of the one that was */
} app_validation_pair;

/** What of a pair is shown run by run, ps. */
typedef struct app_validation_run {
    sim_time wall;
    sim_time recorded;
    sim_time simulated;
} app_validation_run;

typedef struct app_validation_row {
    app_time_kind kind;
    char *name;              /* "MPI_Bcast", "first MPI_Bcast" */
    bool is_collective;      /* and not of first calls */
    double calls;            /* of all ranks of one run */
    app_statistics recorded; /* ps, mean of the ranks */
    app_statistics simulated;
    app_statistics difference; /* simulated - recorded */
} app_validation_row;

typedef enum { APP_VALIDATION_INSIDE, APP_VALIDATION_OUTSIDE, APP_VALIDATION_NONE } app_verdict;

typedef struct app_validation {
    uint32_t num_ranks;
    uint32_t num_nodes;
    size_t num_cpus; /* of all nodes, that ranks may run on */
    bool has_room;   /* a CPU for each rank; else the makespan cannot be compared */
    bool is_pinned;
    uint64_t preempted; /* of all ranks of all timed runs */
    size_t num_pairs;
    size_t num_disturbed;     /* timed runs with a rank off its CPU for APP_VALIDATION_DISTURBED */
    app_validation_run *runs; /* [num_pairs] in the order they were made */
    double tolerance;
    app_statistics wall;      /* of the timed runs, MPI_Init to MPI_Finalize */
    app_statistics recorded;  /* of the recorded ones */
    app_statistics simulated; /* makespans */
    app_statistics error;     /* simulated / wall - 1 of each pair, in parts per 1e9 */
    app_statistics of_record; /* simulated / recorded - 1 of the same run, likewise */
    app_statistics recording; /* recorded / wall - 1, likewise */
    app_statistics outside;   /* the whole command, less wall */
    app_statistics cpu;       /* all ranks of a timed run, waiting included */
    app_statistics bound;     /* the least that the computations take on these CPUs */
    GArray *rows;             /* of app_validation_row; the largest difference first */
    app_verdict verdict;      /* NONE: there is no room */
    bool holds;               /* bound <= wall, but for the tolerance */
    bool is_close;            /* the interval of error is on both sides of a limit */
} app_validation;

/** Fraction of app_validation.error, .of_record and .recording. */
static inline double app_validation_fraction(sim_time parts)
{
    return (double)parts / 1e9;
}

/**
 * @param pairs [n], n >= 1, all of as many ranks
 * @param tolerance e.g. 0.05
 * @return owned by the caller; NULL with an error: runs differ in what they did
 */
app_validation *app_validation_new(const app_validation_pair *pairs, size_t n, double tolerance,
                                   GError **error);
void app_validation_free(app_validation *validation); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_validation, app_validation_free)
