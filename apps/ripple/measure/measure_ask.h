/* measure/measure_ask.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What is asked of an analysis, on the command line.
 */
#pragma once

#include "output/manifest.h"
#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>

typedef struct app_measure_ask {
    sim_time collective; /* ps > 0 */
    const char *report;  /* folder, or NULL; borrowed */
} app_measure_ask;

/** From the values of --collective and --report, or NULL. @return false with an error of usage */
bool app_measure_ask_read(const char *collective, const char *report, app_manifest *manifest,
                          app_measure_ask *ask, GError **error);
/** Can the page be written? To be asked before the work that it shows. Leaves all as it is. */
bool app_measure_ask_check(const app_measure_ask *ask, GError **error);
