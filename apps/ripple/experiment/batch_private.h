/* apps/ripple/experiment/batch_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The runs of one size: planned by experiment_plan.c, done by batch.c.
 */
#pragma once

#include "experiment/experiment.h"
#include "noise/injection.h"
#include "output/progress.h"
#include "sim/replica.h"

/* Replicas of a series that are run together. */
typedef struct app_batch_task {
    app_series *series;
    uint32_t first;
    uint32_t n;    /* 1 but in lanes */
    bool in_lanes; /* by sim_replicas_run(), else by sim_run() */
    uint32_t few;  /* ranks that stand for all; 0: each is run */
} app_batch_task;

/* The runs of one size. */
typedef struct app_batch {
    const app_experiment *experiment;
    const sim_program *program;
    const sim_levels *levels; /* NULL: there is one */
    sim_replicas *replicas;   /* NULL: one run at a time */
    sim_placement placement;  /* of its ranks */
    app_series *series;       /* ideal first */
    size_t modes;
    uint32_t few[APP_NUM_MODES]; /* by mode: ranks that stand for all; 0: each is run */
    GArray *tasks;               /* of app_batch_task */
    bool explain;                /* replica 0 is recorded */
    const char *unexplained;     /* why it is not recorded */
    bool spill;                  /* the record of replica 0 goes to a temporary file */
    size_t begun;                /* tasks, before those that are done now */
    unsigned run_threads;        /* for one run of sim_run() */
    uint64_t num_ops;            /* of one run */
    app_progress *progress;
    const double *planned; /* work that progress expects; NULL: nothing yet */
    GMutex mutex;          /* guards what follows */
    bool given_up;         /* some task, since it was asked to stop or for the error */
    GError *error;
    size_t error_task; /* the lowest one that failed: the error does not depend on threads */
} app_batch;

/** How noise is laid over the ranks in a run. */
noise_injection_options app_batch_noise(const app_batch *batch, app_mode mode, uint32_t replica);
/** Is something told of ranks, or passes, by name? Then none stand for others. */
bool app_batch_is_named(const app_batch *batch, const app_series *series, uint32_t replica);
/** As of experiment/work.h. */
double app_batch_work(const app_batch *batch, const app_batch_task *task);
/**
 * Do the task that is @p index after those that are done: an app_task of @p batch. What fails is
 * noted there.
 */
void app_batch_do(void *batch, size_t index);
