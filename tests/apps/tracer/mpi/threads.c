/* tests/apps/tracer/mpi/threads.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Two threads of each of two ranks exchange messages at the same time, each pair of threads with a
 * tag of its own. With an argument, one thread of each rank makes so many calls that its record is
 * written out again and again, and the other computes, and makes a call now and then.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 500, QUICK_ROUNDS = 6000, SLOW_ROUNDS = 120 };

static void *exchange(void *tag)
{
    int rank, v = 1, w = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Sendrecv(&v, 1, MPI_INT, 1 - rank, *(int *)tag, &w, 1, MPI_INT, 1 - rank, *(int *)tag,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return NULL;
}

static void send_to_itself(int rounds, int tag, double between)
{
    for (int i = 0; i < rounds; i++) {
        int v = 1, w = 0;
        const double until = MPI_Wtime() + between * (1 + i % 7);
        while (between > 0 && MPI_Wtime() < until) {
        }
        MPI_Sendrecv(&v, 1, MPI_INT, 0, tag, &w, 1, MPI_INT, 0, tag, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
    }
}

static void *compute(void *tag)
{
    send_to_itself(SLOW_ROUNDS, *(int *)tag, 20e-6);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, mine = 1, other = 2, v = 1, sum = 0;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE) {
        (void)fprintf(stderr, "no MPI_THREAD_MULTIPLE\n");
    } else if (pthread_create(&thread, NULL, argc > 1 ? compute : exchange, &other) == 0) {
        if (argc > 1) {
            send_to_itself(QUICK_ROUNDS, mine, 0);
        } else {
            (void)exchange(&mine);
        }
        (void)pthread_join(thread, NULL);
    }
    MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return MPI_Finalize();
}
