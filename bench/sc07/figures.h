/* bench/sc07/figures.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file ILS over time as the paper draws it, and a page with tables and figures. */
#pragma once

#include "experiments.h"

bool sc07_draw_figures(const sc07_lab *lab, const sc07_report *report, const char *command,
                       const char *folder, GError **error);
