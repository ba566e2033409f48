/* apps/tracer/record/attempt.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * OTF2 3.0 gathers 4 MiB before it writes to a file. When that fails it frees the memory, but
 * keeps using it: the next event, or closing the file, ends the program. So no call that writes
 * is allowed to return after a failure: the function that OTF2 calls with its complaint, which is
 * before the memory is freed, jumps out. That leaks what OTF2 holds, once.
 */
#include "record/attempt.h"

#include <errno.h>
#include <otf2/otf2.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

static _Atomic bool inside;
static bool armed; /* by the attempt that runs: there is only one */
static jmp_buf out;
static bool held; /* SIGXFSZ, since the attempt began to write */
static sigset_t before;
static char first_error[256];

bool tracer_otf2_begin(void)
{
    return !atomic_exchange(&inside, true);
}

void tracer_otf2_end(void)
{
    atomic_store(&inside, false);
}

/* Keep the first complaint; OTF2 itself would print each. Codes below 0 are warnings. */
static OTF2_ErrorCode on_error(void *user, const char *file, uint64_t line, const char *function,
                               OTF2_ErrorCode code, const char *format, va_list arguments)
{
    (void)user, (void)file, (void)line, (void)function;
    if (code > 0 && first_error[0] == '\0') {
        const int n =
            snprintf(first_error, sizeof first_error, "%s: ", OTF2_Error_GetDescription(code));
        if (n > 0 && (size_t)n < sizeof first_error) {
            (void)vsnprintf(first_error + n, sizeof first_error - (size_t)n, format, arguments);
        }
    }
    if (code > 0 && armed) {
        armed = false;
        longjmp(out, 1);
    }
    return code;
}

void tracer_attempt_start(void)
{
    (void)OTF2_Error_RegisterCallback(on_error, NULL);
}

/* Runs the work with the way out open. */
static bool run(void (*work)(void *data), void *data)
{
    if (setjmp(out) != 0) {
        return false;
    }
    armed = true;
    work(data);
    armed = false;
    return true;
}

void tracer_attempt_writes(void)
{
    sigset_t limit; /* what a write beyond RLIMIT_FSIZE raises, in the thread that writes */
    if (armed && !held) {
        (void)sigemptyset(&limit);
        (void)sigaddset(&limit, SIGXFSZ);
        held = pthread_sigmask(SIG_BLOCK, &limit, &before) == 0;
    }
}

/* Let SIGXFSZ through again, but not one that a write of ours has raised. */
static void release(void)
{
    static const struct timespec at_once = {0, 0};
    const int error = errno;
    sigset_t limit;
    (void)sigemptyset(&limit);
    (void)sigaddset(&limit, SIGXFSZ);
    if (sigismember(&before, SIGXFSZ) == 0) {
        (void)sigtimedwait(&limit, NULL, &at_once);
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    held = false;
    errno = error; /* as the work left it */
}

bool tracer_attempt(void (*work)(void *data), void *data)
{
    const bool done = run(work, data);
    if (held) {
        release();
    }
    return done;
}

const char *tracer_attempt_error(void)
{
    return first_error[0] != '\0' ? first_error : NULL;
}
