/* apps/ripple/program/source_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A source in parts: what it is (source.c), what options say of it (source_options.c), and the
 * forms that it takes at some size (source_forms.c).
 */
#pragma once

#include "options/extrapolation_options.h"
#include "program/source.h"
#include "sched/pattern.h"
#include "sched/reader.h"

/** The trace on a larger grid. */
typedef struct app_source_grown {
    uint32_t ranks;
    sched_growth *growth;
} app_source_grown;

struct app_source {
    app_source_kind kind;
    uint32_t own_ranks;
    char *description;
    char *ranks; /* --ranks, or NULL */
    bool roots_given;
    bool copies_given;
    bool extrapolate_given;
    bool is_goal_text;
    bool said_no_calls; /* of the machine, which stored schedules do not know */
    coll_profile *profile;
    char *coll; /* --coll, or NULL */

    sim_graph *own; /* GOAL: the file */
    sched_trace *trace;
    sched_convert_options convert;
    const sched_reader *reader; /* of the file; NULL: it is computed */
    sched_read_options read;
    GArray *notices; /* of sched_notice */

    app_extrapolation extrapolation;
    bool recognised;               /* the verb asks for the grid by itself */
    sched_regrid *regrid;          /* once it has been asked for */
    GArray *growths;               /* of app_source_grown */
    char **fit;                    /* --fit: paths; or NULL */
    sched_regrid_scaling *scaling; /* what they come to, or NULL */

    coll_call call; /* a collective */
    coll_algorithm algorithm;
    sched_pattern *pattern; /* a pattern, or the one item that a collective is; else NULL */
    sim_call_cost calls[SIM_NUM_CALLS]; /* of the machine; all 0 unless convert.calls */
    sim_cold_cost cold;                 /* of the machine; unused unless convert.cold */
    sched_pattern *with_calls;          /* the pattern with them; NULL: there are none */

    sim_program *program;      /* built last: computed, the trace or own repeated */
    size_t rank_bytes;         /* of the trace repeated */
    bool many_open;            /* the trace is not sim_program.few_open */
    sched_rank_source *stream; /* the program rank by rank; for GOAL it is of_own.source */
    sched_repeat_source of_own;
    sim_graph *graph;
    uint32_t built_ranks; /* of program */
    uint32_t stream_ranks;
    uint32_t graph_ranks;
};

/** All options but --ranks and --strict. @return false with an error of usage */
bool app_source_take_options(app_source *source, const app_program_options *options,
                             GError **error);
/** Once it is known what the source is. @return false with an error: an option has no effect */
bool app_source_refuse_idle(const app_source *source, const app_program_options *options,
                            bool strict, GError **error);
/**
 * The program of the trace, repeated up to @p ranks, without storing it.
 * @return false with an error
 */
bool app_source_follow(app_source *source, uint32_t ranks, sched_convert_report *report,
                       GError **error);
/** Is there a larger grid of so many ranks? app_source_recognise() has been called. */
bool app_source_check_grid(const app_source *source, uint32_t ranks, GError **error);
/** Fit computation to the records of --fit, if there are. @return false with an error */
bool app_source_fit(app_source *source, GError **error);
/** Say in the manifest what comes of them at each of @p sizes [n], in the notices of which sites.
 */
void app_source_note_fit(app_source *source, const uint32_t *sizes, size_t n,
                         app_manifest *manifest);
/** How large a rank's part is at @p ranks, beside what it was in the record. */
sched_regrid_part app_source_part(const app_source *source, uint32_t ranks);
/** Add to the notices what a larger grid leaves out, if there is one. */
void app_source_note_unexplained(app_source *source);
/** Say in the manifest which grid it is at each of @p sizes [n]. */
void app_source_note_grids(const app_source *source, const uint32_t *sizes, size_t n,
                           app_manifest *manifest);
/** How the trace is enlarged to @p ranks, which have been checked; NULL: by copies. Borrowed. */
const sched_growth *app_source_growth(const app_source *source, uint32_t ranks);
/** How the pattern is to be had at @p ranks. */
sched_pattern_options app_source_pattern_options(const app_source *source, uint32_t ranks);
/** Free all forms. */
void app_source_drop_forms(app_source *source);
