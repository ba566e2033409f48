/* tests/apps/validation/mpi/rounds.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Some milliseconds of work and messages of several kinds in turn, and a line of output. */
#include <mpi.h>
#include <stdio.h>

static volatile double sink;

static void work(void)
{
    double x = 1;
    for (int i = 0; i < 200000; i++) {
        x = x * 0.999999 + 1e-6;
    }
    sink = x;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 20; round++) {
        char out[1000] = {0}, in[1000];
        double mine = rank, sum;
        MPI_Request requests[2];
        work();
        MPI_Irecv(in, 1000, MPI_CHAR, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, 1000, MPI_CHAR, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        work();
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        printf("rounds are over\n");
    }
    MPI_Finalize();
    return argc > 1 ? 7 : 0;
}
