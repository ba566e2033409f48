/* apps/ripple/quick/quick_report.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The page of `ripple quick`.
 */
#pragma once

#include "output/manifest.h"
#include "quick/quick_print.h"

/** Page and figures into @p folder, beside what is there: all or nothing. */
bool app_quick_report(const app_quick_outcome *outcome, const app_manifest *manifest,
                      const char *folder, GError **error);
