/* tests/apps/scores/scored_ring.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file From rings whose truth is known to a verdict: what tests of scores have in common. */
#pragma once

#include "detection/learning.h"
#include "detection/scoring.h"
#include "scores/disturbed_ring.h"
#include "scores/score.h"

enum { SCORED_STEPS = 600 };

/** Everything between a folder of records and a verdict. */
typedef struct scored_ring {
    char *folder;
    char *nobody[1];
    app_context context;
    app_program_options program;
    app_machine_options machine;
    app_place_options places;
    app_noise_options noise;
    app_run_options how;
    noise_interference_model *model;
    app_run_input *input; /* the run that was scored */
    noise_interference_scorer *scorer;
} scored_ring;

scored_ring *scored_ring_new(void);
void scored_ring_free(scored_ring *ring);
/** From two clean runs. */
void scored_ring_learn(scored_ring *ring, uint32_t ranks, noise_interference_reference reference);
/** The verdict on one more run. @param onset when its disturbance begins; may be NULL */
app_score *scored_ring_score(scored_ring *ring, const disturbed_ring *run, sim_time *onset);
