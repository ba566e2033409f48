/* tests/apps/tracer/mpi/rests.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Each rank sleeps 3000 times for 20 us, with a call to MPI after every 100, and starts a child in
 * between, which comes home without MPI. "exit": it leaves without MPI_Finalize.
 */
#include <fcntl.h>
#include <glob.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int num_ranks; /* that leave without MPI_Finalize */

/* How many of them have come to wait_for_others(). */
static int num_gone(void)
{
    glob_t found = {0};
    const int n = glob("gone-*", 0, NULL, &found) == 0 ? (int)found.gl_pathc : 0;
    globfree(&found);
    return n;
}

/*
 * When one has left like that, launchers kill the others, who may be writing yet. So they leave
 * together. This is registered before MPI_Init, and so called after what the tracer does at exit.
 */
static void wait_for_others(void)
{
    enum { MOST = 400 };
    const struct timespec moment = {0, 50000000};
    char name[32];
    (void)snprintf(name, sizeof name, "gone-%ld", (long)getpid());
    (void)close(open(name, O_CREAT | O_WRONLY, 0600));
    for (int i = 0; i < MOST && num_gone() < num_ranks; i++) {
        (void)nanosleep(&moment, NULL);
    }
}

int main(int argc, char **argv)
{
    const struct timespec moment = {0, 20000};
    const int leaves = argc > 1 && strcmp(argv[1], "exit") == 0;
    int status = 1;
    if (leaves) {
        (void)atexit(wait_for_others);
    }
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
    if (leaves) {
        MPI_Comm_size(MPI_COMM_WORLD, &num_ranks);
        exit(status);
    }
    MPI_Finalize();
    return status == 0 ? 0 : 1;
}
