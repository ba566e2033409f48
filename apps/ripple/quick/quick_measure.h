/* apps/ripple/quick/quick_measure.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Measure this node while the monitor watches it, and name who ran in the detours.
 */
#pragma once

#include "measure/measure_analysis.h"
#include "noise/measurement.h"
#include "noise/nit.h"

/** In the folder of the report. */
#define APP_QUICK_WATCH   "node.nit"
#define APP_QUICK_DETOURS "detours.txt"

typedef struct app_quick_measured {
    noise_measurement *measurement; /* its classes named as far as the watch tells */
    noise_nit *nit;                 /* what was seen; NULL: nothing could be watched */
    char *unwatched;                /* why not; else NULL */
    app_measure_analysis *analysis; /* divided into sources */
    GPtrArray *own;                 /* names of the sources that the watch itself is */
} app_quick_measured;

/**
 * Takes the measurement's time and some 2 s more; analysing it some 0.1 s for each rhythm on each
 * CPU. Writes APP_QUICK_WATCH and APP_QUICK_DETOURS, divided into sources, into @p folder.
 * @return false with an error; what cannot be watched is none
 */
bool app_quick_measure(const noise_measurement_options *options, const char *folder,
                       app_quick_measured *out, GError **error);
void app_quick_measured_clear(app_quick_measured *measured);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(app_quick_measured, app_quick_measured_clear)

/** How well all threads could be seen, in a sentence, without a full stop. Owned by the caller. */
char *app_quick_watch_sentence(const app_quick_measured *measured);
