/* apps/ripple/monitor/monitor_report.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What `ripple monitor FILE...` does with files of watched nodes: the report, on the screen and as
 * a page; one file of several; traces for Paraver and Perfetto. One call for the verb.
 */
#pragma once

#include "options/options.h"
#include "output/context.h"

#include <glib.h>
#include <stdbool.h>

/** All NULL or false at first. Owned. */
typedef struct app_monitor_options {
    bool merge;
    char *clocks;
    char *ranks;
    char *paraver;
    char *extrae;
    char *perfetto;
    char *report;
} app_monitor_options;

void app_monitor_options_add(app_monitor_options *monitor, app_options *options);
void app_monitor_options_clear(app_monitor_options *monitor);
/** None of them has an effect on a watch that is being made: an error of usage that names the
 * first. */
bool app_monitor_options_refuse(const app_monitor_options *monitor, GError **error);

/**
 * Report on @p files [n > 0], each of one node or of several (then it is the only one), in the
 * format and to the place that the command line asks for, and write what the options ask for. With
 * --merge the place is that of the merged file, and the report is printed.
 */
bool app_monitor_report(const app_context *context, const app_monitor_options *monitor,
                        const char *const *files, size_t n, GError **error);
