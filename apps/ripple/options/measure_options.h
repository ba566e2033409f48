/* apps/ripple/options/measure_options.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The options that say how this machine is measured.
 */
#pragma once

#include "noise/measurement.h"
#include "options/options.h"
#include "output/manifest.h"

typedef struct app_measure_options {
    char *method;
    char *cpus;
    char *time;
    char *windows;
    gboolean one_by_one;
    char *events;
    char *threshold;
    char *quantum;
    char *samples;
    char *kernel;
} app_measure_options;

void app_measure_options_add(app_measure_options *self, app_options *options);
void app_measure_options_clear(app_measure_options *self);
/** What they mean; every parameter goes into @p manifest. @p out borrows from @p self. */
bool app_measure_options_resolve(const app_measure_options *self, noise_measurement_options *out,
                                 app_manifest *manifest, GError **error);
/** Where nothing is measured, each of them is a mistake: @p idle is "with --merge". */
bool app_measure_options_refuse(const app_measure_options *self, const char *idle, GError **error);
