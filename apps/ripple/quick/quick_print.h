/* apps/ripple/quick/quick_print.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What `ripple quick` has found, as text, CSV (a row for each run) and members of a JSON object.
 */
#pragma once

#include "findings/findings.h"
#include "quick/quick_measure.h"
#include "quick/quick_predict.h"
#include "quick/unexplained.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

/** All of it, borrowed. */
typedef struct app_quick_outcome {
    const app_quick_measured *measured;
    app_unexplained unexplained;
    const app_noise *noise;
    const app_quick_prediction *prediction;
    const app_findings *findings;
    const char *page; /* its path */
} app_quick_outcome;

/** The row "unexplained" of the table of sources. Owned by the caller. */
char **app_quick_unexplained_row(const app_quick_outcome *outcome);
/** What the watch took itself, in a sentence; NULL: nothing that was noticed. Owned by the caller.
 */
char *app_quick_own_sentence(const app_quick_outcome *outcome);
/** Why there is no knock-out; NULL: there is one. Static. */
const char *app_quick_no_knockout(const app_quick_outcome *outcome);

void app_quick_print(const app_quick_outcome *outcome, FILE *out);
void app_quick_print_csv(const app_quick_outcome *outcome, FILE *out);
void app_quick_build(const app_quick_outcome *outcome, JsonBuilder *builder);
