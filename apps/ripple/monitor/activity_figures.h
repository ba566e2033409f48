/* apps/ripple/monitor/activity_figures.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Watched nodes in pictures: how much of each CPU others than the ranks had over time, which
 * programs those were, and which had how much of each CPU.
 */
#pragma once

#include "noise/activity_trace.h"

#include <glib.h>

/** Array of app_chart, owned by it; empty where nothing was active. */
GPtrArray *app_activity_figures_new(const noise_activity_trace *trace);
