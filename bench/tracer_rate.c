/* bench/tracer_rate.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * An MPI program of a known rate of calls, for bench_tracer.sh. Usage: tracer_rate CALLS PERIOD
 * Each rank makes CALLS calls, one every PERIOD ns, and between them walks through 4 MiB, so that
 * what a call needs has left the caches, as in a program that computes. PERIOD 0: calls alone.
 * Prints for each rank the mean time of a call in ns, as the program sees it:
 * of the wall clock if paced, else of the CPU.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LINES = 65536, LINE = 64, BURST = 64 }; /* cache lines walked between two looks at a clock */
/* Longer than any flush of the tracer: the rank had lost its CPU to another process. */
static const long long AWAY_NS = 1000000;

static long long read_clock(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

static long long now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

static void call(void)
{
    static double out = 1;
    static double in;
    MPI_Sendrecv(&out, 1, MPI_DOUBLE, 0, 1, &in, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
}

static double mean_alone(long calls)
{
    const long long from = read_clock(CLOCK_THREAD_CPUTIME_ID);
    for (long i = 0; i < calls; i++) {
        call();
    }
    return (double)(read_clock(CLOCK_THREAD_CPUTIME_ID) - from) / (double)calls;
}

static double mean_paced(long calls, long period)
{
    volatile char *memory = calloc(LINES, LINE);
    long long inside = 0;
    long kept = 0;
    size_t at = 0;
    long long next = now();
    if (memory == NULL) {
        abort();
    }
    for (long i = 0; i < calls; i++) {
        next += period;
        while (now() < next) {
            for (int k = 0; k < BURST; k++) {
                memory[at * LINE]++;
                at = (at + 1) % LINES;
            }
        }
        const long long from = now();
        call();
        const long long took = now() - from;
        next = from + took > next + period ? from + took : next; /* what is late stays late */
        if (took < AWAY_NS) {
            inside += took;
            kept++;
        }
    }
    free((void *)memory);
    return (double)inside / (double)(kept > 0 ? kept : 1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const long calls = argc > 1 ? atol(argv[1]) : 10000;
    const long period = argc > 2 ? atol(argv[2]) : 100000;
    (void)mean_alone(100); /* whatever MPI sets up at its first message */
    MPI_Barrier(MPI_COMM_WORLD);
    const double mean = period > 0 ? mean_paced(calls, period) : mean_alone(calls);
    printf("%.1f\n", mean);
    MPI_Finalize();
    return 0;
}
