/* bench/sc07/figures.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file A page with tables, and with the figures of the paper that show results. */
#pragma once

#include "comparison.h"
#include "experiments.h"
#include "report/page.h"

/** A page with what the rules come to, and where it is from. @return owned by the caller */
app_page *sc07_page_new(const sc07_report *report);
/** Rules and numbers of those experiments that have any. */
void sc07_page_tables(const sc07_report *report, app_page *page);

/** @param methods NULL: not compared */
bool sc07_draw_figures(const sc07_lab *lab, const sc07_report *report,
                       const sc07_comparison *methods, const char *command, const char *folder,
                       GError **error);
