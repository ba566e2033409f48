/* apps/ripple/live/live_lines.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file A line when a rank begins to look disturbed, and one when it does so no more. */
#pragma once

#include "noise/interference.h"

#include <glib.h>

typedef struct app_live_lines app_live_lines;

/** @param model borrowed @param say takes each line, which is freed afterwards */
app_live_lines *app_live_lines_new(const noise_interference_model *model,
                                   void (*say)(void *to, const char *line), void *to);
void app_live_lines_free(app_live_lines *lines); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_live_lines, app_live_lines_free)

/**
 * For noise_interference_options.tell; @p lines of app_live_lines. A rank has one line however many
 * of its sequences are disturbed at a time; after 16 times no more, and that is said.
 */
void app_live_lines_tell(void *lines, const noise_interference_event *event);
