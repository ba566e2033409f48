/* tests/apps/tracer/mpi/stays.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Makes 100 barriers, has rank 0 say that it is ready, and sleeps for minutes. "deaf": it does not
 * listen to signals that can be ignored.
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && strcmp(argv[1], "deaf") == 0) {
        (void)signal(SIGTERM, SIG_IGN);
        (void)signal(SIGINT, SIG_IGN);
        (void)signal(SIGHUP, SIG_IGN);
    }
    for (int i = 0; i < 100; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0) {
        fprintf(stderr, "ready\n");
    }
    for (int i = 0; i < 300; i++) {
        (void)sleep(1);
    }
    return MPI_Finalize();
}
