/* apps/tracer/state.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* From MPI_Init to MPI_Finalize, or to whatever ends the program before. */
#include "tracer.h"
#include "tracer/protocol.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

tracer_state tracer;

void tracer_say(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang 14 loses va_start's effect here
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "ripple trace: %s\n", text);
}

void *tracer_calloc(size_t n, size_t width)
{
    void *p = calloc(n > 0 ? n : 1, width);
    if (p == NULL) {
        tracer_say("out of memory");
        abort();
    }
    return p;
}

void *tracer_next(const char *symbol)
{
    void *f = dlsym(RTLD_NEXT, symbol);
    if (f == NULL) {
        tracer_say("the MPI library of this program has no %s", symbol);
        abort();
    }
    return f;
}

/* Code of the Fortran bindings: their C side calls the PMPI entries, ours among them. */
enum { MAX_BINDINGS = 8 };
static struct {
    uintptr_t from, to;
} binding[MAX_BINDINGS];
static int num_bindings = -1;

static int note_binding(struct dl_phdr_info *info, size_t size, void *count)
{
    (void)size;
    int *n = count;
    static const char *const name[] = {"/libmpi_mpifh", "/libmpi_usempi", "/libmpichfort"};
    bool ours = false;
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        ours |= strstr(info->dlpi_name, name[i]) != NULL;
    }
    for (int i = 0; ours && i < info->dlpi_phnum && *n < MAX_BINDINGS; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_LOAD && (p->p_flags & PF_X) != 0) {
            binding[*n].from = info->dlpi_addr + p->p_vaddr;
            binding[*n].to = binding[*n].from + p->p_memsz;
            (*n)++;
        }
    }
    return 0;
}

bool tracer_from_fortran(const void *caller)
{
    if (num_bindings < 0) {
        int n = 0;
        (void)dl_iterate_phdr(note_binding, &n);
        num_bindings = n;
    }
    const uintptr_t at = (uintptr_t)caller;
    for (int i = 0; i < num_bindings; i++) {
        if (at >= binding[i].from && at < binding[i].to) {
            return true;
        }
    }
    return false;
}

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
    const bool ok = tracer_archive_close();
    const char *error = tracer_archive_error();
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
