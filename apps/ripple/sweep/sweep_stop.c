/* apps/ripple/sweep/sweep_stop.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_sweep. */
#include "sweep/sweep_stop.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Of the process, as its signals are. */
static struct {
    GMutex mutex;
    sigset_t signals;
    const char *verb;
    app_sweep_database *database;
    const char *path;
    size_t num_points;
} watched;

static void close_database(void)
{
    const int64_t done = app_sweep_database_end(watched.database);
    fprintf(stderr,
            "%sripple %s: stopped; %" G_GINT64_FORMAT
            " of %zu points are in %s, and the same command goes on from there\n",
            isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "", watched.verb, done, watched.num_points,
            watched.path);
}

static gpointer watch(gpointer data)
{
    (void)data;
    int number;
    if (sigwait(&watched.signals, &number) != 0) {
        return NULL;
    }
    g_mutex_lock(&watched.mutex); /* for good: nobody names another database now */
    if (watched.database != NULL) {
        close_database();
    }
    /* End as the signal would have ended it: who started this sees it. */
    (void)signal(number, SIG_DFL);
    (void)pthread_sigmask(SIG_UNBLOCK, &watched.signals, NULL);
    (void)raise(number);
    return NULL;
}

void app_sweep_stop_watch(const char *verb)
{
    watched.verb = verb;
    (void)sigemptyset(&watched.signals);
    static const int NUMBERS[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < G_N_ELEMENTS(NUMBERS); i++) {
        struct sigaction action;
        const bool ignored = sigaction(NUMBERS[i], NULL, &action) == 0 &&
                             action.sa_handler == SIG_IGN; /* by nohup, or a shell's '&' */
        if (!ignored) {
            (void)sigaddset(&watched.signals, NUMBERS[i]);
        }
    }
    (void)pthread_sigmask(SIG_BLOCK, &watched.signals, NULL);
    g_thread_unref(g_thread_new("signals", watch, NULL));
}

void app_sweep_stop_close(app_sweep_database *database, const char *path, size_t num_points)
{
    g_mutex_lock(&watched.mutex);
    watched.database = database;
    watched.path = path;
    watched.num_points = num_points;
    g_mutex_unlock(&watched.mutex);
}
