/* apps/ripple/sweep/sweep_stop.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Ctrl-C, SIGTERM and SIGHUP during a sweep: let the point that is being written be written, say
 * what is kept and how to go on, and end by the signal.
 */
#pragma once

#include "database/sweep_database.h"

/**
 * Watch for signals from now on. To be called before any other thread is made (threads inherit
 * which signals they do not take), once in a process. Until a database is named they end it as
 * always.
 */
void app_sweep_stop_watch(const char *verb);
/** From now on close this first (NULL: nothing); borrowed. */
void app_sweep_stop_close(app_sweep_database *database, const char *path, size_t num_points);
