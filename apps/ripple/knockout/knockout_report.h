/* apps/ripple/knockout/knockout_report.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The section of a report that says what to switch off first.
 */
#pragma once

#include "knockout/knockout.h"
#include "report/page.h"

/** Tables, and a figure for each mode: files in @p folder. */
bool app_knockout_report(const app_knockout *knockout, app_page *page, const char *folder,
                         GError **error);
