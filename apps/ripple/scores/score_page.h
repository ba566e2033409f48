/* apps/ripple/scores/score_page.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file A score as a page in a folder, with the figures of the paper. */
#pragma once

#include "scores/score.h"

#define APP_SCORE_PAGE "report.html"

typedef struct app_score_page {
    const app_score *score;
    const char *run;     /* what was scored */
    const char *made_by; /* the command and its parameters, one line */
} app_score_page;

/** Write the page and its figures into @p folder, which appears whole or not at all. */
bool app_score_page_write(const app_score_page *page, const char *folder, GError **error);
