/* bench/tracer_rate.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * An MPI program of a known rate of calls, for bench_tracer.sh: fixed work, then a call, CALLS
 * times. Prints the CPU time of all that in ns. Usage: tracer_rate CALLS WORK (WORK 0: calls alone)
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long long cpu_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const long calls = argc > 1 ? atol(argv[1]) : 100000;
    const long work = argc > 2 ? atol(argv[2]) : 0;
    double out = 1;
    double in = 0;
    volatile double sink = 0;
    const long long from = cpu_ns();
    for (long i = 0; i < calls; i++) {
        double x = in;
        for (long k = 0; k < work; k++) { /* a chain: as long as its latency, whatever the CPU */
            x = x * 0.999 + 1;
        }
        sink = x;
        MPI_Sendrecv(&out, 1, MPI_DOUBLE, 0, 1, &in, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
    }
    printf("%lld\n", cpu_ns() - from);
    MPI_Finalize();
    return sink < 0;
}
