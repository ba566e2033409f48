/* bench/sc07/figures.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file A page with tables, and with the figures of the paper that show results. */
#pragma once

#include "comparison.h"
#include "experiments.h"

/** @param methods NULL: not compared */
bool sc07_draw_figures(const sc07_lab *lab, const sc07_report *report,
                       const sc07_comparison *methods, const char *command, const char *folder,
                       GError **error);
