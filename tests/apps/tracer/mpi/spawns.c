/* tests/apps/tracer/mpi/spawns.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Starts itself once more, joins with it and shares numbers: communicators with processes outside
 * MPI_COMM_WORLD, which are recorded apart or not at all.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Under the tracer, as we are. */
static void start(char *program, MPI_Comm *others)
{
    const char *preload = getenv("LD_PRELOAD"), *folder = getenv("RIPPLE_TRACE_DIR");
    char words[2][4096];
    (void)snprintf(words[0], sizeof words[0], "LD_PRELOAD=%s", preload != NULL ? preload : "");
    (void)snprintf(words[1], sizeof words[1], "RIPPLE_TRACE_DIR=%s", folder != NULL ? folder : "");
    char *arguments[] = {words[0], words[1], program, NULL};
    MPI_Comm_spawn("env", arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, others,
                   MPI_ERRCODES_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Comm parent, others, both, copy;
    int v = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        start(argv[0], &others);
    } else {
        others = parent;
    }
    MPI_Intercomm_merge(others, parent != MPI_COMM_NULL, &both);
    MPI_Comm_dup(both, &copy);
    MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&both);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_disconnect(&others);
    return MPI_Finalize();
}
