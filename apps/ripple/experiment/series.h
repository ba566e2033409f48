/* apps/ripple/experiment/series.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A series of runs, of one program at one size in one mode, and what they come to.
 */
#pragma once

#include "analysis/explain.h"
#include "experiment/met.h"
#include "sim/program.h"
#include "sim/run.h"
#include "statistics/mean.h"
#include "statistics/statistics.h"

/** What a slowdown is; docs/model.md, section 9. */
typedef enum {
    APP_PASS,  /* of so many passes from a cold start: (noisy - ideal) / ideal of the makespans */
    APP_STEADY /* the limit of that over more and more passes, estimated */
} app_quantity;

/** "pass", "steady". Static. */
const char *app_quantity_name(app_quantity quantity);

typedef struct app_run {
    sim_time makespan;
    sim_time *finish; /* [ranks] if asked for, else NULL */
    sim_time *slice;  /* [num_slices] when each slice ended (sim/slices.h), if asked for, or NULL */
    uint32_t simulated_passes; /* sim_result.simulated_passes */
} app_run;

typedef enum {
    APP_STEADY_REACHED,   /* settled; as narrow as asked for, or the interval holds 0 */
    APP_STEADY_TOO_SHORT, /* a component that matters was met by the run less than 20 times */
    APP_STEADY_DRIFTS,    /* the second half of the runs was slower, or faster, than the first */
    APP_STEADY_WIDE,      /* the interval is wider than asked for, or that between the halves */
    APP_STEADY_FEW,       /* long enough, but fewer than five replicas: a range */
} app_steady_state;

/** How far an estimate of the steady slowdown has come. */
typedef struct app_steady {
    app_steady_state state;
    uint32_t cut;       /* slices that were cut as warm-up, of num_slices */
    double half_width;  /* asked for, relative to the estimate */
    double drift;       /* slowdown of the second half minus that of the first, mean of replicas */
    double drift_error; /* its standard error; INFINITY with one replica */
    double reference;   /* s / (1 - s): what a rank loses that never waits */
    bool absorbed;      /* reached, or wide with settled halves, and all of the interval lies below
                           the reference, by more than the half width asked for */
    bool decided;       /* wide, but all of it on one side of the threshold asked for */
    bool check;         /* co-scheduled: one run; the estimate is of another size */
    size_t rarest;      /* too short: the component that was met least often */
} app_steady;

/** All runs of one size in one mode. */
typedef struct app_series {
    uint32_t ranks;
    app_mode mode;
    sim_time ideal; /* makespan without noise */
    uint64_t num_ops;
    uint64_t num_messages;
    app_quantity quantity;
    uint32_t passes;     /* of the program that each run makes; 0: the program does not say */
    uint32_t num_slices; /* of each run; 0: they were not asked for */
    uint32_t num_runs;
    app_run *runs;        /* [num_runs] by replica; the ideal series has one */
    app_statistics times; /* of the makespans */
    app_mean slowdown;    /* over the replicas, of the quantity; ideal: nothing */
    app_met *met;         /* [num_met] by component, in an average run; NULL: no noise */
    size_t num_met;
    app_steady steady; /* if that is the quantity, and there is noise */
    /** So many ranks stood for all (docs/model.md, section 6.5), but for replica 0 where it is
     * broken down under noise; 0: all were simulated. */
    uint32_t representatives;
    bool in_lanes; /* several replicas at once (sim/replica.h) but for replica 0 */
    bool has_breakdown;
    uint32_t breakdown_passes; /* steady: of the run that is broken down, apart from the others */
    GPtrArray *departures;     /* of char *: where LogGOPSim's times may be others; NULL: nowhere */
    const char *unexplained;   /* why there is no breakdown, after a colon; static, or NULL */
    sim_breakdown breakdown;   /* of replica 0 */
    sim_time breakdown_makespan;  /* of the run that is broken down */
    app_explanation *explanation; /* of replica 0, if asked for and there is a breakdown */
} app_series;

/** (noisy - ideal) / ideal; 0 where nothing takes time. */
double app_slowdown(const app_series *series, sim_time makespan);

/** How many passes of all its runs were simulated; the others are known from these. */
uint64_t app_series_simulated_passes(const app_series *series);

/** @p series is all zero. */
void app_series_init(app_series *series, uint32_t ranks, app_mode mode, uint32_t runs);
/** Its runs will note when slices of @p program end; nothing if that has none. */
void app_series_slice(app_series *series, const sim_program *program);
/** Replica @p replica is done: keep what @p result says of it. Any thread. */
void app_series_note(app_series *series, const sim_program *program, uint32_t replica,
                     const sim_result *result);
/**
 * All runs are done: their statistics, and what they met of @p noise.
 * @param ideal makespan without noise
 * @param seed of what is drawn for intervals
 */
void app_series_summarize(app_series *series, const app_noise *noise, sim_time ideal,
                          uint64_t seed);
/** Free what it holds. */
void app_series_clear(app_series *series);
