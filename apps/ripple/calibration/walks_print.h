/* apps/ripple/calibration/walks_print.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file What calls take more after a computation, in the output of a calibration. */
#pragma once

#include "calibration/calibration.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

/** A table and what it says; nothing if nothing was measured. */
void app_walks_print(const app_calibration *calibration, FILE *out);
/** Rows of the table of values. */
void app_walks_print_csv(const app_calibration *calibration, FILE *out);
/** What the table is of, as a sentence. */
void app_walks_add_conditions(const app_calibration *calibration, GPtrArray *out);
/** "walks": an array of objects. */
void app_walks_build(const app_calibration *calibration, JsonBuilder *builder);
