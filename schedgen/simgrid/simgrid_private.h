/* schedgen/simgrid/simgrid_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The reader of SimGrid's time-independent traces in parts: the files (simgrid.c), the actions of
 * one rank (simgrid_action.c), the collectives among them (simgrid_collective.c), and below both
 * the words of a line, its time and its call (simgrid_line.c).
 */
#pragma once

#include "sched/trace.h"

#include <stdbool.h>
#include <stdint.h>

#define SIMGRID_OPEN INT64_C(-1) /* bytes of a receive that takes what comes */

/** A line, in words: rank, action, arguments. */
typedef struct simgrid_line {
    const char *file;
    uint32_t number; /* from 1 */
    uint32_t rank;
    char **words; /* [num_words] */
    size_t num_words;
} simgrid_line;

/** What is known of a rank while its actions are read. */
typedef struct simgrid_rank {
    const char *file;  /* where its actions are; NULL: none so far */
    sim_time now;      /* the sum of what it computed */
    sim_time computed; /* since its last call */
    int64_t type_size; /* of elements whose type is not named */
    uint64_t num_requests;
    GArray *open; /* of simgrid_request: posted, not waited for */
} simgrid_rank;

typedef struct simgrid_reading {
    sched_trace *trace;
    simgrid_rank *ranks;     /* [trace->num_ranks] */
    double flops_per_second; /* 0: not known */
    uint64_t num_open;       /* receives of SIMGRID_OPEN bytes */
} simgrid_reading;

/** An empty list of what a rank has open. */
GArray *sched_simgrid_requests_new(void);
/** Is there an action of that name? Case is ignored: older versions wrote allReduce. */
bool sched_simgrid_is_action(const char *name);
/** Append what the line's rank does. @return false with SCHED_ERROR naming file, line and value */
bool sched_simgrid_action_read(simgrid_reading *reading, const simgrid_line *line, GError **error);

/** @return false: the action is no collective */
bool sched_simgrid_is_collective(const char *name);
bool sched_simgrid_collective_read(simgrid_reading *reading, const simgrid_line *line,
                                   GError **error);

/* ---- simgrid_line.c: what both kinds of action are read with; each false with an error ------ */
bool sched_simgrid_fail(const simgrid_line *line, const char *what, const char *value,
                        GError **error);
/** A number that is not below zero, "5e4". */
bool sched_simgrid_number(const simgrid_line *line, size_t word, double *out, GError **error);
bool sched_simgrid_integer(const simgrid_line *line, size_t word, int64_t min, int64_t max,
                           int64_t *out, GError **error);
/** A number of elements, in bytes. */
bool sched_simgrid_bytes(const simgrid_line *line, size_t word, int64_t type_size, int64_t *out,
                         GError **error);
/** Bytes of an element of the type with the identifier in @p word. */
bool sched_simgrid_type(const simgrid_line *line, size_t word, int64_t *out, GError **error);
/** Let the rank compute, @p word being what it does in flops. */
bool sched_simgrid_compute(simgrid_reading *reading, const simgrid_line *line, size_t word,
                           GError **error);
/** Let it take @p seconds, which @p word is about. */
bool sched_simgrid_pass(simgrid_reading *reading, const simgrid_line *line, double seconds,
                        size_t word, GError **error);
/** The call that the line makes, at this time. Valid until the next. */
sched_call *sched_simgrid_call(simgrid_reading *reading, const simgrid_line *line,
                               sched_call_kind kind);
