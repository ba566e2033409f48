/* measure/measure_page.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * An analysis of detours as a page with figures.
 */
#pragma once

#include "measure/measure_analysis.h"
#include "output/manifest.h"
#include "report/page.h"

#define APP_MEASURE_PAGE "report.html"

/**
 * Write page, figures and CSV into @p folder: all or nothing.
 * @param verdict of the measurement, lines; NULL: the files' own
 */
bool app_measure_page_write(const app_measure_analysis *analysis, const char *verdict,
                            const app_manifest *manifest, const char *folder, GError **error);
/** The section that says where the detours come from. @param last [APP_MEASURE_COLUMNS] one row
 * more, or NULL */
void app_measure_page_sources(app_page *page, const app_measure_analysis *analysis,
                              const char *const *last);
