/* apps/ripple/calibration/calls_print.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file The part of a calibration's results that is about calls of collectives. */
#pragma once

#include "calibration/calibration.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

/** Object member @p name: value, low, high, level. */
void app_calibrated_value_build(const char *name, const app_calibrated_value *value,
                                JsonBuilder *builder);
/** A row for each call that was measured. */
void app_calls_print(const app_calibration *calibration, FILE *out);
void app_calls_print_csv(const app_calibration *calibration, FILE *out);
/** Member "calls" of the object being built. */
void app_calls_build(const app_calibration *calibration, JsonBuilder *builder);
/** Which costs are not written, and why. */
void app_calls_add_conditions(const app_calibration *calibration, GPtrArray *out);
