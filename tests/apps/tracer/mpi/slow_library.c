/* tests/apps/tracer/mpi/slow_library.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An MPI library with a fault: every SLOW_EVERY-th MPI_Send of rank SLOW_RANK takes SLOW_US more
 * CPU time, or sleeps as long with SLOW_SLEEPS. Preloaded behind the tracer, it lies between it and
 * MPI.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static double used(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static long setting(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? atol(text) : 0;
}

int PMPI_Send(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    static int (*real)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    static long calls;
    static int rank = -1;
    if (real == NULL) {
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Send");
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    const long every = setting("SLOW_EVERY");
    if (every > 0 && rank == setting("SLOW_RANK") && ++calls % every == 0) {
        const long us = setting("SLOW_US");
        if (getenv("SLOW_SLEEPS") != NULL) {
            const struct timespec nap = {us / 1000000, us % 1000000 * 1000};
            nanosleep(&nap, NULL);
        } else {
            const double until = used() + (double)us;
            while (used() < until) {
            }
        }
    }
    return real(buffer, count, type, dest, tag, comm);
}
