/* apps/ripple/system/stop.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Long work that is asked to stop: by Ctrl-C, SIGTERM or SIGHUP where the work has said that it
 * listens, or by --time-limit. It looks now and then whether it is asked, and keeps what is done.
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>

/**
 * From now on a signal asks to stop; a second one ends the process at once. A signal that is
 * ignored (nohup, a shell's '&') stays so.
 */
void app_stop_catch_signals(void);
/** From now on signals end the process as ever, also where one has asked. */
void app_stop_release_signals(void);
/** Ask to stop @p limit ps from now. @param text as it was given: "5s"; borrowed until the end */
void app_stop_after(sim_time limit, const char *text);

/** Any thread; some 30 ns. Once it is, it stays. */
bool app_stop_is_asked(void);
/** "SIGINT", "--time-limit=5s"; NULL: nobody has asked. Owned by the caller. */
char *app_stop_describe(void);
/** @return false, with APP_ERROR_STOPPED; somebody has asked */
bool app_stop_fail(GError **error);
/** End by the signal that has asked, so that who started this sees it; else return. */
void app_stop_leave(void);
