/* tests/apps/tracer/mpi/slow.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A ring: computation, MPI_Send of 64 bytes to the right, MPI_Recv from the left, STEPS times.
 * Arguments: STEPS, and what disturbs it:
 *   nothing
 *   late     rank 1 computes 6 ms longer in every 17th step: its neighbour waits
 *   burner   a process on rank 1's CPU computes for 3 ms, every 47 ms; needs more than one CPU
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static double clock_us(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* So much CPU time, whoever else wants the CPU. */
static void compute(double us)
{
    const double until = clock_us(CLOCK_THREAD_CPUTIME_ID) + us;
    while (clock_us(CLOCK_THREAD_CPUTIME_ID) < until) {
    }
}

/* Rank 1 keeps the CPU that it is on to itself and a burner; the others keep off it. */
static pid_t burner(int rank)
{
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    int cpu = sched_getcpu();
    MPI_Bcast(&cpu, 1, MPI_INT, 1, MPI_COMM_WORLD);
    if (rank != 1) {
        CPU_CLR(cpu, &set);
    } else {
        CPU_ZERO(&set);
        CPU_SET(cpu, &set);
    }
    sched_setaffinity(0, sizeof set, &set);
    const pid_t pid = rank == 1 ? fork() : 1;
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_NAME, "burner");
        (void)!nice(-20); /* neither this nor the below is allowed to everybody */
        for (;;) {
            const struct timespec pause = {0, 44000000};
            nanosleep(&pause, NULL);
            compute(3000);
        }
    }
    const struct sched_param first = {.sched_priority = 2}; /* above ranks that are real-time */
    if (rank == 1 && pid > 0) {
        (void)sched_setscheduler(pid, SCHED_FIFO, &first);
    }
    return rank == 1 ? pid : 0;
}

int main(int argc, char **argv)
{
    int rank;
    int size;
    char buffer[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int steps = argc > 1 ? atoi(argv[1]) : 100;
    const char *how = argc > 2 ? argv[2] : "nothing";
    const pid_t pid = strcmp(how, "burner") == 0 ? burner(rank) : 0;
    for (int i = 0; i < steps; i++) {
        compute(strcmp(how, "late") == 0 && rank == 1 && i % 17 == 16 ? 6400 : 400);
        MPI_Send(buffer, sizeof buffer, MPI_CHAR, (rank + 1) % size, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer, sizeof buffer, MPI_CHAR, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    }
    if (pid > 0) {
        kill(pid, SIGKILL);
    }
    MPI_Finalize();
    return 0;
}
