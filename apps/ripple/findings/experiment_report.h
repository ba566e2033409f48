/* apps/ripple/findings/experiment_report.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The report of an experiment: a folder with report.html and, beside it, each figure as SVG, CSV
 * and gnuplot script: slowdown over ranks, the replicas as box plots, where the time goes.
 */
#pragma once

#include "findings/findings.h"
#include "noise/miner.h"
#include "output/manifest.h"
#include "report/page.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct app_report {
    const char *title;
    const char *program; /* one line: what was simulated */
    const app_manifest *manifest;
    const app_findings *findings;
    const char *mined_from; /* one line: which stream was mined; NULL: none was */
    const noise_miner_report *mined;
    /** Adds a section, with figures in @p folder, behind the slowdown. NULL: there is none. */
    bool (*section)(const void *data, app_page *page, const char *folder, GError **error);
    const void *section_data;
} app_report;

#define APP_REPORT_PAGE "report.html"

/**
 * Write the report into @p folder (made if need be; files of an older report are replaced). All
 * files are made elsewhere first and moved there when the last one is complete.
 */
bool app_report_write(const app_report *report, const char *folder, GError **error);
