/* bench/sc07/methods/comparison.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Methods side by side: each says of all ranks of the same simulated runs how disturbed they are.
 */
#pragma once

#include "methods.h"
#include "roc.h"

#include <stdio.h>

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
                         the  programs take turns */
    unsigned threads; /* the result does not depend on it */
    bool brief;       /* FT alone: for tests */
    FILE *curves;     /* of all programs and of each, as CSV; NULL: not asked for */
} sc07_comparison_options;

/** What came out. A rank is disturbed that lost more than 0.1 % of what it computes to the job, as
 * the same run without a job says; ranks that lost something, but less, are left out. */
typedef struct sc07_comparison {
    uint32_t runs;
    uint64_t disturbed, clean, between; /* ranks of runs; the last ones are left out */
    double hours;                       /* in which ranks were clean */
    double found, false_alarms; /* of the verdict on typical sequences: share of the disturbed
                                   ranks; per hour in which a rank is clean */
    sc07_roc all[SC07_NUM_METHODS];
    sc07_roc program[3][SC07_NUM_METHODS];         /* FT, CG, POP; NaN where not run */
    sc07_roc job[SC07_NUM_JOBS][SC07_NUM_METHODS]; /* its disturbed ranks against all clean ones; of
                                                     SC07_JOB_NONE: nothing */
} sc07_comparison;

/** O(runs): some 3 s of CPU time for each, CG and POP more. */
void sc07_compare(const sc07_comparison_options *options, sc07_comparison *out);

/** As tables of docs/interference.md. */
void sc07_comparison_print(const sc07_comparison *comparison, FILE *file);
