/* apps/ripple/system/stop.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "system/stop.h"

#include "output/error.h"
#include "system/child.h"

#include <signal.h>
#include <stdatomic.h>

static const struct {
    int number;
    const char *name;
} SIGNALS[] = {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}};

/* Of the process, as its signals are. */
static struct {
    atomic_int signal;   /* that came first; 0: none */
    atomic_bool is_late; /* the time is over */
    gint64 deadline;     /* us, monotonic; 0: none. Set before there are threads */
    const char *limit;   /* as it was given */
    struct sigaction before[G_N_ELEMENTS(SIGNALS)];
    bool is_caught[G_N_ELEMENTS(SIGNALS)];
} asked;

static void handle(int number)
{
    int none = 0;
    if (!atomic_compare_exchange_strong(&asked.signal, &none, number)) {
        (void)signal(number, SIG_DFL); /* the second one */
        (void)raise(number);
    }
}

void app_stop_catch_signals(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < G_N_ELEMENTS(SIGNALS); i++) {
        struct sigaction *before = &asked.before[i];
        asked.is_caught[i] =
            sigaction(SIGNALS[i].number, NULL, before) == 0 && before->sa_handler != SIG_IGN;
        if (asked.is_caught[i]) {
            (void)sigaction(SIGNALS[i].number, &action, NULL);
        }
    }
}

void app_stop_release_signals(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(SIGNALS); i++) {
        if (asked.is_caught[i]) {
            (void)sigaction(SIGNALS[i].number, &asked.before[i], NULL);
            asked.is_caught[i] = false;
        }
    }
}

void app_stop_after(sim_time limit, const char *text)
{
    asked.deadline = g_get_monotonic_time() + limit / SIM_US;
    asked.limit = text;
}

bool app_stop_is_asked(void)
{
    if (atomic_load_explicit(&asked.signal, memory_order_relaxed) != 0 ||
        atomic_load_explicit(&asked.is_late, memory_order_relaxed)) {
        return true;
    }
    if (asked.deadline == 0 || g_get_monotonic_time() < asked.deadline) {
        return false;
    }
    atomic_store(&asked.is_late, true);
    return true;
}

char *app_stop_describe(void)
{
    const int number = atomic_load(&asked.signal);
    for (size_t i = 0; i < G_N_ELEMENTS(SIGNALS); i++) {
        if (SIGNALS[i].number == number) {
            return g_strdup(SIGNALS[i].name);
        }
    }
    return atomic_load(&asked.is_late) ? g_strconcat("--time-limit=", asked.limit, NULL) : NULL;
}

bool app_stop_fail(GError **error)
{
    g_autofree char *by = app_stop_describe();
    g_set_error(error, APP_ERROR, APP_ERROR_STOPPED, "stopped by %s", by);
    return false;
}

void app_stop_leave(void)
{
    const int number = atomic_load(&asked.signal);
    if (number != 0) {
        app_child_die(number);
    }
}
