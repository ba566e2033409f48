/* tests/apps/tracer/mpi/threads.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Two threads of each of two ranks exchange messages at the same time, each pair of threads with a
 * tag of its own.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 500 };

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

int main(int argc, char **argv)
{
    int provided, mine = 1, other = 2, v = 1, sum = 0;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE) {
        (void)fprintf(stderr, "no MPI_THREAD_MULTIPLE\n");
    } else if (pthread_create(&thread, NULL, exchange, &other) == 0) {
        (void)exchange(&mine);
        (void)pthread_join(thread, NULL);
    }
    MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return MPI_Finalize();
}
