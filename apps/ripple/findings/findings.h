/* apps/ripple/findings/findings.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Results together with all that is to be said of them: what printers and the report are given.
 */
#pragma once

#include "findings/conclusion.h"
#include "findings/condition.h"

typedef struct app_findings {
    const app_results *results;
    const app_noise *noise;
    app_conditions *conditions;
    char **conclusions; /* sentences, NULL-terminated */
} app_findings;

/** Borrows @p results and @p noise. @param source may be NULL */
app_findings *app_findings_new(const app_results *results, const app_noise *noise,
                               const app_source *source);
void app_findings_free(app_findings *findings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_findings, app_findings_free)

/** What has to be said first: grave conditions, and an empty line if there are any. */
void app_findings_print_first(const app_findings *findings, FILE *out);
/** What is said last: remarks, then conclusions. Nothing without noise, but for "stopped". */
void app_findings_print_last(const app_findings *findings, FILE *out);
