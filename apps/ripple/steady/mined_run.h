/* apps/ripple/steady/mined_run.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * An experiment of one run of which NoiseMiner takes the events: the largest size,
 * replica 0.
 */
#pragma once

#include "noise/miner.h"
#include "steady/steady.h"

typedef struct app_mined_run {
    noise_miner *miner;
    uint32_t ranks; /* of the run that is mined; 0: not chosen */
    app_mode mode;
    bool done;
} app_mined_run;

/** Of these sizes and the one that it has, the largest that may be mined, else the first. */
void app_mined_run_choose(app_mined_run *m, const uint32_t *sizes, size_t n);
/**
 * All runs of @p experiment, whose sink is set, and the one that is mined: one of them from a cold
 * start; steady, one more, as long as those of its size or shorter. @return as app_steady_run()
 */
app_results *app_mined_run_all(app_experiment *experiment, const app_steady_wish *wish,
                               app_mined_run *m, GError **error);
