/* apps/ripple/analysis/explain.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What bounds a run: its critical path, summed up for people.
 */
#pragma once

#include "sim/run.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

/** An operation on the critical path, and what it adds to the makespan. */
typedef struct app_path_operation {
    uint32_t rank;
    char *label; /* "l17" */
    uint8_t type;
    sim_time start;
    sim_time finish;
    sim_time noise;
    sim_time adds; /* from the end of the operation before it on the path to its own end */
} app_path_operation;

typedef struct app_path_rank {
    uint32_t rank;
    uint64_t operations;
    sim_time adds;
} app_path_rank;

typedef struct app_explanation {
    char *sentence;     /* "latency-bound: 64 % of the makespan is L" */
    uint64_t length;    /* operations on the path */
    uint32_t num_ranks; /* ranks on the path */
    size_t num_operations;
    app_path_operation *operations; /* those that add most, first */
    size_t num_ranks_shown;
    app_path_rank *ranks; /* those that add most, first */
    size_t num_last;
    app_path_operation *last; /* the end of the path, latest first */
} app_explanation;

/** @param result explained  @return owned by the caller */
app_explanation *app_explanation_new(const sim_program *program, const sim_result *result);
void app_explanation_free(app_explanation *explanation);

void app_explanation_print(const app_explanation *explanation, sim_time makespan, FILE *out);
/** Add the member "explanation" to the object being built. */
void app_explanation_build(const app_explanation *explanation, JsonBuilder *builder);
