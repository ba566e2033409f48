/* apps/ripple/system/child.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Running a command in the foreground of our terminal, and not ending before it has ended.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

/** Seconds from one attempt to stop a command to the next, by a stronger signal. */
enum { APP_CHILD_GRACE = 5 };

typedef struct app_child_end {
    int status;     /* as waitpid() gives it */
    int stopped_by; /* the signal that we were to stop by; 0: none came */
} app_child_end;

/** What is done again and again while the command runs. */
typedef struct app_child_beat {
    gint64 interval; /* us, > 0 */
    void (*call)(void *data);
    void *data;
} app_child_beat;

/**
 * Run @p argv and wait for it. It gets a process group of its own, and the terminal if it was ours.
 * SIGINT, SIGTERM and SIGHUP that are sent to us (and not ignored) are passed on to its group.
 * APP_CHILD_GRACE s later all that it has started and that is still there gets SIGTERM, after as
 * long again SIGKILL; this returns when nothing of it is left.
 * To be called while the process has one thread. Uses /proc to find what has left the group.
 * @param environment  of the command; ours does not change
 * @param beat  NULL: nothing
 * @return false if it could not be started; the error says why
 */
bool app_child_run(char **argv, char **environment, const app_child_beat *beat, app_child_end *end,
                   GError **error);

/** End this process as signal @p number would have ended it, which its parent sees. */
G_NORETURN void app_child_die(int number);
