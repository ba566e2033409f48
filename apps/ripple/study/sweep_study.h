/* apps/ripple/study/sweep_study.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A study: which parameters are fixed and which are varied, from a file or the command line, and
 * its points: all combinations of the varied ones, numbered from 0, the last axis fastest.
 */
#pragma once

#include "study/sweep_parameter.h"

#include <stddef.h>

enum { APP_SWEEP_MOST_POINTS = 1000000 };

/** Parameters that are varied together; mostly one. */
typedef struct app_sweep_axis {
    size_t num_parameters;
    app_parameter_id parameters[APP_NUM_PARAMETERS];
    size_t num_values;
    char **values[APP_NUM_PARAMETERS]; /* [num_parameters][num_values] */
} app_sweep_axis;

typedef struct app_sweep_study {
    char *title; /* or NULL */
    /* What was asked for, by parameter; NULL: nothing. */
    char *fixed[APP_NUM_PARAMETERS];
    char *swept[APP_NUM_PARAMETERS];  /* the text of its axis */
    char *origin[APP_NUM_PARAMETERS]; /* of either: "study.ini:7", "--sweep" */
    GPtrArray *axes;                  /* of app_sweep_axis *, slowest first */
} app_sweep_study;

app_sweep_study *app_sweep_study_new(void);
void app_sweep_study_free(app_sweep_study *study);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_sweep_study, app_sweep_study_free)

/** Fix a parameter; takes the place of what was said of it before. */
bool app_sweep_study_fix(app_sweep_study *study, app_parameter_id id, const char *text,
                         const char *origin, GError **error);
/** Vary a parameter over app_sweep_axis_parse(@p text); likewise. The new axis is the fastest. */
bool app_sweep_study_vary(app_sweep_study *study, app_parameter_id id, const char *text,
                          const char *origin, GError **error);
/**
 * Vary the parameters of @p ids [n] together: they take their first values, then their second
 * ones, and so on; all need the same number. Each must have been varied before, alone.
 */
bool app_sweep_study_join(app_sweep_study *study, const app_parameter_id *ids, size_t n,
                          GError **error);

/**
 * What was said of @p id is wrong: put who said so in front; an error of usage, if it was an
 * option. @p error is set, or NULL.
 */
void app_sweep_study_blame(const char *origin, app_parameter_id id, GError **error);

/** Does no axis have the same values twice? An error names the value and who said so. */
bool app_sweep_study_check_doubles(const app_sweep_study *study, GError **error);
/** 1 without an axis; an error beyond APP_SWEEP_MOST_POINTS. */
bool app_sweep_study_count(const app_sweep_study *study, size_t *num_points, GError **error);
/** The values of point @p i by parameter, borrowed; NULL: not said. */
void app_sweep_study_point(const app_sweep_study *study, size_t i,
                           const char *values[APP_NUM_PARAMETERS]);
/** "ranks=64, noise=altix": the varied parameters of point @p i. Owned by the caller. */
char *app_sweep_study_describe(const app_sweep_study *study, size_t i);
/** Is it varied, over more than one value? */
bool app_sweep_study_varies(const app_sweep_study *study, app_parameter_id id);
/** The study file that says the same. Owned by the caller. */
char *app_sweep_study_text(const app_sweep_study *study);
