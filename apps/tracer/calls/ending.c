/* apps/tracer/calls/ending.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever ends the program before MPI_Finalize: what was recorded until then is saved. */
#include "calls/ending.h"

#include "live/detect.h"
#include "live/mine.h"
#include "record/archive.h"
#include "record/attempt.h"
#include "record/cpu.h"
#include "record/off_cpu.h"
#include "record/record.h"
#include "record/state.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const int FATAL[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV,
                            SIGBUS,  SIGFPE, SIGILL, SIGXCPU, SIGUSR1, SIGUSR2};
enum { NUM_FATAL = sizeof FATAL / sizeof FATAL[0] };
static struct sigaction before[NUM_FATAL];

void tracer_save(const char *why)
{
    static _Atomic bool saved;
    if (atomic_load(&tracer.phase) != TRACER_ON || atomic_exchange(&saved, true)) {
        return;
    }
    atomic_store(&tracer.phase, TRACER_OVER);
    if (!tracer_record_end()) {
        tracer_say("rank %d: %s while its record was being written; its calls since the last "
                   "flush are lost",
                   tracer.rank, why);
        return;
    }
    const bool mined = !tracer.mining || tracer_mine_save();
    const bool handed_on = tracer_detect_cut_off();
    const bool ok = (!tracer.archived || tracer_archive_close()) && mined && handed_on;
    tracer_off_cpu_end();
    const char *error = tracer_attempt_error();
    tracer_say("rank %d: %s before MPI_Finalize; %llu calls %s %s%s%s", tracer.rank, why,
               (unsigned long long)tracer_calls(), ok ? "→" : "not all written to", tracer.dir,
               error != NULL ? ": " : "", error != NULL ? error : "");
}

/*
 * Not async-signal-safe, as OTF2 allocates and writes: a process that dies inside malloc would
 * wait for itself. The alarm ends that; everything is lost anyway if we do not try.
 */
static void on_signal(int number)
{
    (void)signal(SIGALRM, SIG_DFL);
    (void)alarm(5);
    char why[32];
    (void)snprintf(why, sizeof why, "signal %d", number);
    tracer_save(why);
    (void)alarm(0);
    for (int i = 0; i < NUM_FATAL; i++) {
        if (FATAL[i] == number) {
            (void)sigaction(number, &before[i], NULL);
        }
    }
    (void)raise(number); /* pending until we return; then as if we had not been there */
}

static void on_exit_without_finalize(void)
{
    tracer_save("exit");
}

static void watch_for_death(void)
{
    for (int i = 0; i < NUM_FATAL; i++) {
        struct sigaction mine = {.sa_handler = on_signal};
        (void)sigfillset(&mine.sa_mask); /* the next signal waits until everything is saved */
        (void)sigdelset(&mine.sa_mask, SIGALRM);
        (void)sigaction(FATAL[i], NULL, &before[i]);
        /* Handlers that MPI put there print a backtrace and end the process: ours goes first. A
         * signal that is ignored or that the program handles for its own purposes stays so. */
        const bool fatal = FATAL[i] == SIGSEGV || FATAL[i] == SIGBUS || FATAL[i] == SIGFPE ||
                           FATAL[i] == SIGILL || FATAL[i] == SIGABRT;
        if (before[i].sa_handler == SIG_DFL || fatal) {
            (void)sigaction(FATAL[i], &mine, NULL);
        }
    }
    (void)atexit(on_exit_without_finalize);
}

void tracer_go(bool threads)
{
    tracer.threads = threads;
    tracer_cpu_start();
    tracer_record_start();
    watch_for_death();
    atomic_store(&tracer.phase, TRACER_ON);
}
