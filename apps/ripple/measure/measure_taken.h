/* apps/ripple/measure/measure_taken.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What each class of detours took of the time of the CPUs that were measured; a row "unexplained"
 * for those of which nothing is known.
 */
#pragma once

#include "noise/measurement.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

void app_measure_taken_print(const noise_measurement *measured, FILE *out);
/** The member "taken". */
void app_measure_taken_build(const noise_measurement *measured, JsonBuilder *builder);
