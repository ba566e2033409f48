/* apps/ripple/experiment/work.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How much there is to do, for estimates and for how far it has come. Work is counted in operations
 * of the engine at some thousand ranks; what takes longer counts for more: larger sizes, whose data
 * leave the caches, and runs that are recorded. bench/README.md, "Estimates", has the measurements.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/** Of one size, or of several. */
typedef struct app_work {
    uint64_t runs;
    double engine; /* of runs one by one */
    double lanes;  /* of runs in lanes (sim/replica.h) */
} app_work;

/** Of a run of so many operations by the engine. @p recorded: for a breakdown or an explanation */
double app_work_of_run(uint32_t ranks, uint64_t num_ops, bool recorded);
/** Of up to SIM_LANES replicas of so many operations each, at once: little, but for each rank. */
double app_work_of_lanes(uint32_t ranks, uint64_t num_ops);
void app_work_add(app_work *sum, const app_work *work);
/** All together. */
double app_work_total(const app_work *work);
