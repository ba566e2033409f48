/* apps/ripple/database/sweep_result.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The result of one point: the distribution of its replicas.
 */
#pragma once

#include "experiment/experiment.h"

typedef struct app_sweep_result {
    app_mode mode; /* of the replicas; ideal: there is no noise */
    uint64_t operations;
    uint64_t messages;
    sim_time ideal;       /* makespan without noise */
    uint32_t replicas;    /* at least 1 */
    sim_time *makespans;  /* [replicas] by replica */
    app_statistics times; /* of the makespans */
} app_sweep_result;

/** Of the noisy runs in that mode, else of the ideal one. */
void app_sweep_result_take(app_sweep_result *result, const app_results *results, bool cosched);
/** Of makespans that are given; copies them. */
void app_sweep_result_summarize(app_sweep_result *result, const sim_time *makespans, uint32_t n);
void app_sweep_result_clear(app_sweep_result *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(app_sweep_result, app_sweep_result_clear)
/** (@p makespan - ideal) / ideal; 0 where nothing takes time. */
double app_sweep_result_slowdown(const app_sweep_result *result, sim_time makespan);
