/* tests/apps/trial.h — SPDX-License-Identifier: GPL-3.0-or-later */
/* A program, its sizes, a machine and noise, from options as a user writes them. */
#pragma once

#include "experiment/experiment.h"

typedef struct trial {
    app_program_options program;
    app_source *source;
    app_manifest *manifest;
    uint32_t *sizes;
    size_t num_sizes;
    sim_machine *machine;
    app_noise noise;
    app_results *results;
} trial;

/**
 * @param t all zero but for program
 * @param noise, cosched, replicas values of the options; NULL: not given
 */
void trial_open(trial *t, const char *program, const char *ranks, const char *noise,
                const char *cosched, const char *replicas);
/** What is common to all experiments; results do not depend on @p threads. */
app_experiment trial_experiment(const trial *t, unsigned threads);
void trial_close(trial *t);
