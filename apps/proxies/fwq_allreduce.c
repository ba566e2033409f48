/* apps/proxies/fwq_allreduce.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_monitor_validate. */
/**
 * @file
 * Fixed work of 33 ms and an allreduce, in turn, each rank on a CPU of its own: whoever is
 * disturbed is late, and all wait. Usage: fwq_allreduce ITERATIONS FILE; rank 0 writes a line per
 * iteration: for each rank when its work began and ended (CLOCK_MONOTONIC, ns), on which CPU, and
 * how much CPU time it used meanwhile (ns).
 */
#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TRIALS = 5, NUMBERS = 4 };
static const double QUANTUM_NS = 33e6;

static int64_t now(clockid_t id)
{
    struct timespec t;
    (void)clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static volatile uint64_t result;

static void work(uint64_t n)
{
    uint64_t x = 1;
    for (uint64_t i = 0; i < n; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
    }
    result = x;
}

/* To the CPU of that number among those that may be used. */
static void settle(int rank)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return;
    }
    int skip = rank % CPU_COUNT(&allowed);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &allowed) && skip-- == 0) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            (void)sched_setaffinity(0, sizeof one, &one);
            return;
        }
    }
}

/* How many steps take 33 ms undisturbed: by the fastest of a few trials. */
static uint64_t calibrate(void)
{
    const uint64_t steps = 5000000;
    int64_t best = INT64_MAX;
    for (int i = 0; i < TRIALS; i++) {
        const int64_t begin = now(CLOCK_MONOTONIC);
        work(steps);
        const int64_t took = now(CLOCK_MONOTONIC) - begin;
        best = took < best ? took : best;
    }
    return (uint64_t)(QUANTUM_NS * (double)steps / (double)best);
}

int main(int argc, char **argv)
{
    int rank;
    int size;
    (void)MPI_Init(&argc, &argv);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    const long iterations = argc == 3 ? strtol(argv[1], NULL, 10) : 0;
    FILE *file = rank == 0 && iterations > 0 ? fopen(argv[2], "w") : NULL;
    if (iterations <= 0 || (rank == 0 && file == NULL)) {
        fprintf(stderr, "usage: fwq_allreduce ITERATIONS FILE\n");
        (void)MPI_Abort(MPI_COMM_WORLD, 2);
    }
    settle(rank);
    uint64_t steps = calibrate();
    (void)MPI_Bcast(&steps, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    int64_t(*all)[NUMBERS] = calloc((size_t)size, sizeof *all);
    for (long i = 0; i < iterations && all != NULL; i++) {
        const int64_t used = now(CLOCK_THREAD_CPUTIME_ID);
        int64_t mine[NUMBERS] = {now(CLOCK_MONOTONIC), 0, 0, 0};
        work(steps);
        mine[1] = now(CLOCK_MONOTONIC);
        mine[2] = sched_getcpu();
        mine[3] = now(CLOCK_THREAD_CPUTIME_ID) - used;
        int64_t sum = 0;
        (void)MPI_Allreduce(&mine[1], &sum, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
        (void)MPI_Gather(mine, NUMBERS, MPI_INT64_T, all, NUMBERS, MPI_INT64_T, 0, MPI_COMM_WORLD);
        for (int k = 0; file != NULL && k < size; k++) {
            fprintf(file, "%lld %lld %lld %lld%c", (long long)all[k][0], (long long)all[k][1],
                    (long long)all[k][2], (long long)all[k][3], k + 1 < size ? ' ' : '\n');
        }
    }
    free(all);
    const int failed = file != NULL && fclose(file) != 0;
    (void)MPI_Finalize();
    return failed;
}
