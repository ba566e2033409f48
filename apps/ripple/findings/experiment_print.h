/* apps/ripple/findings/experiment_print.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Results of an experiment as a table for people, as CSV and as JSON.
 */
#pragma once

#include "findings/findings.h"
#include "output/manifest.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

enum { APP_FINDINGS_SCHEMA = 2 }; /* of what app_findings_build() adds; docs/results.md */

/** Three tables: times and slowdown; detours met; where the time went. */
void app_findings_print(const app_findings *findings, FILE *out);

/**
 * ranks,noise,cosched,replica,makespan_ns,ideal_ns,slowdown,quantity,passes,remarks: a row for each
 * noisy run, or for the ideal run where there is no noise. The slowdown is that of the makespan.
 */
void app_results_print_csv(const app_results *results, const app_noise *noise, FILE *out);
/**
 * ranks,noise,replica,rank,finish_ns: of the co-scheduled runs where there are any, else of the
 * same runs as above; needs keep_finish.
 */
void app_results_print_ranks_csv(const app_results *results, const app_noise *noise, FILE *out);
/** Finish times per rank: quartiles and the last rank of every run; needs keep_finish. */
void app_results_print_ranks(const app_results *results, FILE *out);

/**
 * Add the members "series", "conditions" and "findings", and "stopped" or "left_out" where sizes
 * are missing, to the object being built.
 */
void app_findings_build(const app_findings *findings, JsonBuilder *builder);

/** Where sizes are missing, let whatever is headed by @p manifest say so. */
void app_results_mark_absent(const app_results *results, app_manifest *manifest);
/**
 * In which modes a few ranks stood for all, and how many: "symmetry=ideal:1"; and in which some
 * passes were known from others: "known-passes=ideal". Nothing if in none.
 */
void app_results_mark_symmetry(const app_results *results, app_manifest *manifest);
