/* tests/apps/tracer/mpi/rests.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Each rank sleeps 3000 times for 20 us, with a call to MPI after every 100, and starts a child in
 * between, which comes home without MPI. "exit": it leaves without MPI_Finalize.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const struct timespec moment = {0, 20000};
    int status = 1;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3000; i++) {
        (void)nanosleep(&moment, NULL);
        if (i % 100 == 99) {
            MPI_Barrier(MPI_COMM_WORLD);
        }
        if (i == 1500) {
            const pid_t child = fork();
            if (child == 0) {
                int flag;
                MPI_Initialized(&flag);
                MPI_Pcontrol(1); /* comes to the tracer, and talks to nobody */
                _exit(flag ? 0 : 1);
            }
            (void)waitpid(child, &status, 0);
        }
    }
    if (argc > 1 && strcmp(argv[1], "exit") == 0) {
        exit(status);
    }
    MPI_Finalize();
    return status == 0 ? 0 : 1;
}
