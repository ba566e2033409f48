/* apps/ripple/database/sweep_result.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The result of one point: the distribution of its replicas, what they met, and what they cannot
 * stand for.
 */
#pragma once

#include "experiment/experiment.h"
#include "findings/condition.h"

/** What a component of the noise rests on; from what can be trusted most to what least. */
typedef enum {
    APP_ORIGIN_VALID,   /* a file whose measurement is valid */
    APP_ORIGIN_MODEL,   /* written down */
    APP_ORIGIN_PRESET,  /* inferred from what a paper says of a machine */
    APP_ORIGIN_UNKNOWN, /* a file that does not say whether it is valid */
    APP_ORIGIN_INVALID, /* a file whose measurement is not valid, and was accepted */
    APP_NUM_ORIGINS
} app_sweep_origin;

/** [APP_NUM_ORIGINS] "valid", ...; NULL-terminated. */
extern const char *const app_sweep_origins[];

/** "pass", "steady"; NULL-terminated. */
extern const char *const app_sweep_quantities[];

/** A component of the noise; how often it was met is in the series. */
typedef struct app_sweep_component {
    char *name;
    app_sweep_origin origin;
    char *source;    /* the file or the preset; NULL: a model */
    double interval; /* ps, mean; infinite: it has no detours */
    double length;   /* ps, mean */
} app_sweep_component;

typedef struct app_sweep_result {
    app_series series; /* of the replicas; ideal: there is no noise. Without runs: they are here */
    sim_time *makespans;             /* [series.num_runs] by replica; there is one */
    app_sweep_component *components; /* [series.num_met] */
    app_conditions *conditions;      /* under which it holds */
} app_sweep_result;

/** Of the noisy runs in the mode of @p noise, else of the ideal one. */
void app_sweep_result_take(app_sweep_result *result, const app_results *results,
                           const app_noise *noise, const app_source *source);
/** Makespans that are given, and their statistics; copies them. */
void app_sweep_result_summarize(app_sweep_result *result, const sim_time *makespans, uint32_t n);
void app_sweep_result_clear(app_sweep_result *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(app_sweep_result, app_sweep_result_clear)
/** (@p makespan - ideal) / ideal; 0 where nothing takes time. */
double app_sweep_result_slowdown(const app_sweep_result *result, sim_time makespan);
/** How low and high of the mean came about: "t", "bootstrap", "range". @param result is noisy */
const char *app_sweep_result_method(const app_sweep_result *result);
/** The least trustworthy origin of all components. @param result has some */
app_sweep_origin app_sweep_result_origin(const app_sweep_result *result);
