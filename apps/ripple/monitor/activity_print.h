/* apps/ripple/monitor/activity_print.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "monitor/activity_words.h"
#include "output/context.h"
#include "output/result.h"

/** Text, CSV and JSON of a watched node, or several. The result is an app_activity. */
extern const app_result_writer APP_ACTIVITY_WRITER;

/** Add members "nodes", "programs" and "rules" to the object being built. */
void app_activity_build(const app_activity *activity, JsonBuilder *builder);
