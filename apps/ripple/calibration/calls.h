/* apps/ripple/calibration/calls.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What calls of collectives take beside their messages, in one round: what was measured less what
 * the simulated collective takes with the values of the round. docs/machines.md, "What a call takes
 * beside its messages".
 */
#pragma once

#include "calibration/calibrated.h"
#include "calibration/samples.h"
#include "sim/call_cost.h"

/** Sizes of a collective, the smallest first; a barrier has one. */
#define APP_CALL_SIZES 4

/** NAN: not measured. */
typedef struct app_round_call {
    double measured[APP_CALL_SIZES]; /* ns, of a call after the other */
    double model[APP_CALL_SIZES];    /* ns, without its cost */
    double time; /* ns, what a call of the smallest size takes more; may be less than 0 */
    double byte; /* ns for each further byte, likewise */
    double cold; /* ns, as time, of calls after a walk through memory */
} app_round_call;

/** Bytes of the sizes of @p call in @p samples. @return how many there are */
size_t app_calls_sizes(const app_samples *samples, sim_call call, int64_t *bytes);

/**
 * What a round comes to.
 * @param sizes [num_sizes] bytes, of all rounds
 * @param value [APP_NUM_CALIBRATED] of the round
 * @param S     of all rounds
 * @param cold  o of calls after a walk; NAN: not measured
 */
app_round_call app_calls_fit(const app_samples *samples, sim_call call, const int64_t *sizes,
                             size_t num_sizes, const double *value, int64_t S, double cold);

/** ns that the simulated collective takes on two ranks that begin at once. */
double app_calls_model(sim_call call, int64_t bytes, const double *value, int64_t S);
