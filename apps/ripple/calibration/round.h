/* apps/ripple/calibration/round.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What one round of a calibration, a start of the calibrator, comes to.
 */
#pragma once

#include "calibration/calibrated.h"
#include "calibration/calls.h"
#include "calibration/samples.h"
#include "calibration/walks.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct app_round {
    double value[APP_NUM_CALIBRATED]; /* ns; ns per byte */
    double cold; /* ns: o of calls after a walk through memory; NAN: not measured */
    double left; /* ns: what the overheads leave of L + 2 o, which may be less than 0 */
    app_round_call call[SIM_NUM_CALLS];
    app_round_walk walk[APP_WALKS];
    double unrest; /* how much longer than the lower quartile the median of a round trip is */
    int64_t S;     /* bytes, of all rounds; INT64_MAX: there is no limit */
    int64_t waits;
    double *half; /* [num_sizes] ns, half a round trip of each size, the smallest first */
    size_t num_sizes;
} app_round;

/** The least share of L + 2 o that L is taken to be. */
#define APP_ROUND_LEAST_L 0.1

/** S as this round found it, bytes; INT64_MAX: there is no limit. */
int64_t app_round_limit(const app_samples *samples);

/**
 * @param S of all rounds, since one bisection that was disturbed is no other machine
 * @param has_handshake find H, too; else it is 0
 * @return false: measurements that the values are found by are missing; *out has to be cleared
 */
bool app_round_fit(const app_samples *samples, int64_t S, bool has_handshake, app_round *out);
/** What calls take beside their messages, once the rest of the round is known: @p sizes as
 * app_calls_fit() takes them, for each call. */
void app_round_fit_calls(const app_samples *samples, const int64_t sizes[][APP_CALL_SIZES],
                         const size_t *num_sizes, app_round *out);
void app_round_clear(app_round *round);

/** Half a round trip of that size, ns, with these values. */
double app_round_model(const double *value, int64_t S, int64_t bytes);

/** By what factor two rounds are apart, at least 1: the mean over all sizes. */
double app_round_apart(const app_round *a, const app_round *b);
