/* tests/apps/mpi/fills.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * "limit:N", "ignore:N" or "disk:N": rank 1 sends itself N numbers, which makes for a record that
 * does not fit, and rank 0 their sum. With "limit" rank 1 may not write files of more than 1 MiB;
 * with "ignore" it does not die of trying, either. Rank 0 says whether the sum is right.
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

int main(int argc, char **argv)
{
    int rank, theirs;
    const char *how = argc > 1 ? argv[1] : "disk:1";
    const int n = atoi(strchr(how, ':') + 1);
    long sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1 && how[0] != 'd') {
        const struct rlimit limit = {1 << 20, 1 << 20};
        (void)setrlimit(RLIMIT_FSIZE, &limit);
        (void)signal(SIGXFSZ, how[0] == 'i' ? SIG_IGN : SIG_DFL);
    }
    for (int i = 0; rank == 1 && i < n; i++) {
        MPI_Sendrecv(&i, 1, MPI_INT, 1, 0, &theirs, 1, MPI_INT, 1, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        sum += theirs;
    }
    if (rank == 1) {
        MPI_Send(&sum, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&sum, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        fprintf(stderr, "sum %s\n", sum == (long)n * (n - 1) / 2 ? "right" : "wrong");
    }
    MPI_Finalize();
    return 0;
}
