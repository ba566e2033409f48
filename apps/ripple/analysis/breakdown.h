/* apps/ripple/analysis/breakdown.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The parts of a makespan, by name: one table for text, JSON and the report.
 */
#pragma once

#include "sim/run.h"

#include <stddef.h>

typedef struct app_part {
    const char *key;    /* "compute": in JSON and CSV */
    const char *column; /* heading */
    const char *bound;  /* "latency-bound" */
    const char *share;  /* "is L": what follows "64 % of the makespan" */
} app_part;

/* The last one is of nodes, and left out where there is nothing of it: app_results_num_parts(). */
enum { APP_NUM_PARTS = 8 };
extern const app_part app_parts[APP_NUM_PARTS];

/** The value of app_parts[@p part]. */
sim_time app_breakdown_part(const sim_breakdown *breakdown, size_t part);
/** Index of the largest part. */
size_t app_breakdown_largest(const sim_breakdown *breakdown);
/** "latency-bound: 64 % of the makespan is L". Owned by the caller. */
char *app_breakdown_sentence(const sim_breakdown *breakdown, sim_time makespan);
