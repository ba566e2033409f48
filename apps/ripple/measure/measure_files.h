/* measure/measure_files.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * ripple measure FILE...: what was measured before.
 */
#pragma once

#include "measure/measure_analysis.h"
#include "measure/measure_ask.h"
#include "noise/measurement.h"
#include "output/context.h"

/** Analyse the files that context->args names, print, and with context->output write the one file
 * divided. @return an exit code */
int app_measure_files(const app_context *context, const app_measure_ask *ask, GError **error);

/**
 * The same of what has just been measured, by way of the text that would be its file.
 * @return owned by the caller; NULL with an error if it cannot be analysed
 */
app_measure_analysis *app_measure_analyse(const noise_measurement *measurement, const char *name,
                                          const app_measure_ask *ask, GError **error);
/** Write the first file of the analysis, divided into its sources: all or nothing. */
bool app_measure_write_divided(app_measure_analysis *analysis, const char *path, GError **error);
