/* bench/sc07/methods/roc_figures.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Curves of true against false positives. */
#pragma once

#include "comparison.h"
#include "report/chart.h"

/** All methods, areas with intervals in the legend.
 * @param program that was run; -1: all together @return owned by the caller */
app_chart *sc07_roc_chart(const sc07_comparison *comparison, int program);
