/* apps/ripple/system/node_watch.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Watching this node while a command runs: the monitor, and where the kernel lets us, exact records
 * of who ran on each CPU.
 */
#pragma once

#include "noise/nit.h"

#include <glib.h>

/** The monitor's file in the folder of the archive. Records of CPUs are NOISE_CPU_FILE there. */
#define APP_NODE_WATCH_FILE "node.nit"

typedef struct app_node_watch app_node_watch;

/** "1%", "0.5 %", "0.01": a share of one CPU from 0.01 % to 100 %; errors name --max-cpu. */
bool app_node_watch_parse_share(const char *text, double *share, GError **error);
/** @param share of one CPU that watching may take. @return to be ended by app_node_watch_stop() */
app_node_watch *app_node_watch_start(const char *folder, double share, GError **error);
/**
 * End it, in any case.
 * @param slices of noise_cpu_slices, owned by the caller; NULL: they are not for us
 * @param refusal why not, owned by the caller, where slices is NULL
 * @return all is in the files: the monitor's, and that of the slices
 */
bool app_node_watch_stop(app_node_watch *watch, GArray **slices, char **refusal, GError **error);
