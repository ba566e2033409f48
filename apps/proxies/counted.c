/* apps/proxies/counted.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Computation that is counted instead of timed, for records that are the same whoever makes them:
 * linked into a program whose other files are compiled with -fsanitize-coverage=trace-pc. CPU time
 * is then the number of basic blocks that the program has gone through, a nanosecond each; what MPI
 * and its tracer do is not counted. Used by "record_counted", which also keeps the tracer from
 * taking the wall clock for CPU time. What it makes is
 * compared by cli_regrid_validate and test_enlarged.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

typedef int clock_reader(clockid_t clock, struct timespec *now);

enum { SECOND = 1000000000 };

static uint64_t blocks; /* of the only thread */

/* As compilers name it. */
void __sanitizer_cov_trace_pc(void); /* NOLINT(bugprone-reserved-identifier) */
void __sanitizer_cov_trace_pc(void)  /* NOLINT(bugprone-reserved-identifier) */
{
    blocks++;
}

/* The tracer takes looks at the wall clock that are less than 5 us apart for CPU time
 * (apps/tracer/record/cpu.c): so each is 6 us further on than it would be. */
static void push(struct timespec *now)
{
    static uint64_t ahead;
    ahead += 6000;
    const uint64_t ns = (uint64_t)now->tv_nsec + ahead;
    now->tv_sec += (time_t)(ns / SECOND);
    now->tv_nsec = (long)(ns % SECOND);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    static clock_reader *real;
    if (clock == CLOCK_THREAD_CPUTIME_ID || clock == CLOCK_PROCESS_CPUTIME_ID) {
        now->tv_sec = (time_t)(blocks / SECOND);
        now->tv_nsec = (long)(blocks % SECOND);
        return 0;
    }
    if (real == NULL) {
        *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    }
    const int failed = real(clock, now);
    if (failed == 0 && clock == CLOCK_MONOTONIC) {
        push(now);
    }
    return failed;
}
