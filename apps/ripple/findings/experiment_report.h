/* apps/ripple/findings/experiment_report.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The report of an experiment: a folder with report.html and, beside it, each figure as SVG, CSV
 * and gnuplot script: slowdown over ranks, the replicas as box plots, where the time goes.
 */
#pragma once

#include "experiment/experiment.h"
#include "noise/miner.h"
#include "output/manifest.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct app_report {
    const char *title;
    const char *program; /* one line: what was simulated */
    const app_manifest *manifest;
    const app_results *results;
    const char *const *findings; /* sentences, NULL-terminated; may be NULL */
    const char *mined_from;      /* one line: which stream was mined; NULL: none was */
    const noise_miner_report *mined;
    const char *suspects; /* preformatted lines, or NULL */
} app_report;

#define APP_REPORT_PAGE "report.html"

/**
 * What the results say in sentences: the cost of the noise at the largest size, what
 * co-scheduling would save, from which size on the noise dominates. NULL-terminated, owned by
 * the caller.
 */
char **app_report_findings(const app_results *results, const char *noise);

/** What they say and where the report is: the end of what is printed. */
void app_report_print_end(char **findings, const char *page, FILE *out);

/**
 * Write the report into @p folder (made if need be; files of an older report are replaced). All
 * files are made elsewhere first and moved there when the last one is complete.
 */
bool app_report_write(const app_report *report, const char *folder, GError **error);
