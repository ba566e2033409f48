/* apps/ripple/quick/quick_predict.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From the noise of this node to what it costs at scale, and without each of its sources, within a
 * time.
 */
#pragma once

#include "experiment/experiment.h"
#include "knockout/knockout.h"

typedef struct app_quick_prediction {
    app_results *results;
    app_knockout *knockout; /* unsynchronized, from the smallest size up; NULL: there is no noise,
                             * or it was stopped before */
} app_quick_prediction;

/**
 * Simulate @p experiment's sizes (scaling.h), as many as go into about half of @p seconds; then
 * without each component of the noise, as many sizes as go into the rest.
 */
bool app_quick_predict(const app_experiment *experiment, double seconds, app_quick_prediction *out,
                       GError **error);
void app_quick_prediction_clear(app_quick_prediction *prediction);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(app_quick_prediction, app_quick_prediction_clear)
