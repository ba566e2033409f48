/* apps/ripple/monitor/activity_page.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "monitor/activity_words.h"
#include "noise/activity_trace.h"

#define APP_ACTIVITY_PAGE "monitor.html"

/** What the page shows. All borrowed. */
typedef struct app_activity_page {
    const app_activity *activity;
    const noise_activity_trace *trace;
    const char *made_by; /* version and command, as the head of text results has them */
} app_activity_page;

/** Write the page and its figures into @p folder, all or nothing. */
bool app_activity_page_write(const app_activity_page *page, const char *folder, GError **error);
