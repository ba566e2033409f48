/* apps/ripple/calibration/calibration_print.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "calibration/calibration.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

/** Values with intervals, then round trips as measured and by the values. */
void app_calibration_print(const app_calibration *calibration, FILE *out);
/** A row for each value; the sizes are in text and JSON. */
void app_calibration_print_csv(const app_calibration *calibration, FILE *out);
/** Members of the object being built. */
void app_calibration_build(const app_calibration *calibration, JsonBuilder *builder);
