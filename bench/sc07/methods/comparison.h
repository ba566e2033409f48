/* bench/sc07/methods/comparison.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Methods side by side: each says of all ranks of the same simulated runs how disturbed they are.
 */
#pragma once

#include "methods.h"
#include "roc.h"

/** In the background of one node: SC07, section 5, has the first and the third. */
typedef enum {
    SC07_JOB_NONE,
    SC07_JOB_FULL,   /* always, slices of 4 ms */
    SC07_JOB_COARSE, /* always, slices of 100 ms, as kernels of the time had */
    SC07_JOB_ON_OFF, /* 10 s of every 15 */
    SC07_JOB_SELDOM, /* 1 s of every 21 */
    SC07_NUM_JOBS
} sc07_job;

/** "full, slices of 4 ms", … */
extern const char *const sc07_job_names[SC07_NUM_JOBS];

typedef struct sc07_comparison_options {
    uint32_t groups;  /* each is one program and seed, run without a job and with each kind of job;
                         the programs take turns */
    unsigned threads; /* the result does not depend on it */
    bool brief;       /* FT alone: for tests */
} sc07_comparison_options;

enum { SC07_COMPARED_PROGRAMS = 3 }; /* FT, CG, POP */

/** True positives over false positives, at SC07_ROC_POINTS shares of false positives: 0, then
 * SC07_ROC_DECADES decades up to 1, ten to each. */
enum { SC07_ROC_DECADES = 4, SC07_ROC_POINTS = 2 + 10 * SC07_ROC_DECADES };
typedef struct sc07_roc_line {
    sc07_roc_point at[SC07_ROC_POINTS];
} sc07_roc_line;

/** What came out. A rank is disturbed that lost more than 0.1 % of what it computes to the job, as
 * the same run without a job says; ranks that lost something, but less, are left out. */
typedef struct sc07_comparison {
    uint32_t runs;
    uint64_t disturbed, clean, between; /* ranks of runs; the last ones are left out */
    double hours;                       /* in which ranks were clean */
    double found, false_alarms; /* of the verdict on typical sequences: share of the disturbed
                                   ranks; per hour in which a rank is clean */
    sc07_roc all[SC07_NUM_METHODS];
    sc07_roc program[SC07_COMPARED_PROGRAMS][SC07_NUM_METHODS]; /* NaN where not run */
    sc07_roc job[SC07_NUM_JOBS][SC07_NUM_METHODS]; /* its disturbed ranks against all clean ones; of
                                                     SC07_JOB_NONE: nothing */
    sc07_roc_line line[1 + SC07_COMPARED_PROGRAMS][SC07_NUM_METHODS]; /* of all, then of each
                                                                        program that was run */
} sc07_comparison;

/** "FT", "CG", "POP" */
extern const char *const sc07_compared_names[SC07_COMPARED_PROGRAMS];

/** O(runs): some 3 s of CPU time for each, CG and POP more. */
void sc07_comparison_do(const sc07_comparison_options *options, sc07_comparison *out);
