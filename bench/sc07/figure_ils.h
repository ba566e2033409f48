/* bench/sc07/figure_ils.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Figures of interference level signals: 1, 2, 4 to 6 and 8 to 12 of the paper. */
#pragma once

#include "lab.h"
#include "report/page.h"

/** Which program and node: figures of one of them have one lesson. */
typedef enum {
    SC07_GROUP_FT,  /* 1 and 2 */
    SC07_GROUP_CG,  /* 4 to 6 */
    SC07_GROUP_POP, /* 8 to 10: the job on node 2 */
    SC07_GROUP_POP1 /* 11 and 12: on node 1 */
} sc07_figure_group;

/** Learn once, run once for each kind of run, draw. */
bool sc07_draw_ils(const sc07_lab *lab, sc07_figure_group which, const char *folder, app_page *page,
                   GError **error);
