/* tests/apps/tracer/mpi/dies.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Makes 100 broadcasts on a copy of MPI_COMM_WORLD, and then ends in the way its argument says:
 * "exit" without MPI_Finalize, "abort" with MPI_Abort on rank 1, "crash" with a signal on rank 1,
 * "kill" with one that cannot be caught, on all ranks; "full": it does not die, but rank 1's disk
 * is full; "not": it does not die at all.
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, v = 0;
    MPI_Comm copy;
    const char *how = argc > 1 ? argv[1] : "exit";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    for (int i = 0; i < 100; i++) {
        MPI_Bcast(&v, 1, MPI_INT, 0, copy);
    }
    MPI_Barrier(copy);
    if (strcmp(how, "full") == 0) {
        char file[4096];
        (void)snprintf(file, sizeof file, "%s/traces/1.evt", getenv("RIPPLE_TRACE_DIR"));
        if (rank == 1) { /* before anything is written to it */
            (void)remove(file);
            (void)symlink("/dev/full", file);
        }
        return MPI_Finalize();
    }
    if (strcmp(how, "not") == 0) {
        return MPI_Finalize();
    }
    if (strcmp(how, "kill") == 0) {
        (void)raise(SIGKILL);
    }
    if (strcmp(how, "exit") == 0) {
        return 0;
    }
    if (rank == 1 && strcmp(how, "crash") == 0) {
        (void)raise(SIGSEGV);
    }
    if (rank == 1) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    (void)sleep(20); /* until the others' end ends us, too */
    return 0;
}
