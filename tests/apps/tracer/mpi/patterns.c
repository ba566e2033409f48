/* tests/apps/tracer/mpi/patterns.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The items of patterns as an MPI programmer would write them, as often as the argument says, in
 * the order that test_pattern_mpi.c knows. After each computation there is a call of MPI_Iprobe(),
 * so that the test finds the place in the record.
 */
#include <mpi.h>
#include <stdlib.h>

enum { MOST = 70000, MOST_RANKS = 64 };
static char out[6][MOST], in[6][MOST];
static MPI_Comm torus[4], grid; /* torus[n] has n dimensions */
static int rank, size;

static MPI_Comm make_grid(int dimensions, int periodic)
{
    int extent[3] = {0}, period[3] = {periodic, periodic, periodic};
    MPI_Comm comm;
    MPI_Dims_create(size, dimensions, extent);
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, extent, period, 0, &comm);
    return comm;
}

static void compute(void)
{
    int flag;
    MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

static void stencil(int dimensions, int bytes)
{
    int extent[3], period[3], at[3], neighbour[6], n = 0, requests = 0;
    MPI_Request request[12];
    MPI_Cart_get(torus[dimensions], dimensions, extent, period, at);
    for (int d = 0; d < dimensions; d++) {
        if (extent[d] > 1) { /* else the halo is copied in memory */
            MPI_Cart_shift(torus[dimensions], d, 1, &neighbour[n], &neighbour[n + 1]);
            n += 2;
        }
    }
    for (int i = 0; i < n; i++) {
        /* With an extent of 2, two messages come from the same rank: what it sends up comes from
         * below. So a tag says in which dimension, and the order is that of the posts. */
        MPI_Irecv(in[i], bytes, MPI_BYTE, neighbour[i], i / 2, torus[dimensions],
                  &request[requests++]);
    }
    for (int i = 0; i < n; i++) {
        MPI_Isend(out[i], bytes, MPI_BYTE, neighbour[i], i / 2, torus[dimensions],
                  &request[requests++]);
    }
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
}

static void wavefront(int bytes)
{
    int north, south, west, east;
    MPI_Cart_shift(grid, 0, 1, &north, &south);
    MPI_Cart_shift(grid, 1, 1, &west, &east);
    MPI_Recv(in[0], bytes, MPI_BYTE, west, 0, grid, MPI_STATUS_IGNORE);
    MPI_Recv(in[1], bytes, MPI_BYTE, north, 0, grid, MPI_STATUS_IGNORE);
    compute();
    MPI_Send(out[0], bytes, MPI_BYTE, east, 0, grid);
    MPI_Send(out[1], bytes, MPI_BYTE, south, 0, grid);
}

static void ring(int bytes)
{
    MPI_Sendrecv(out[0], bytes, MPI_BYTE, (rank + 1) % size, 0, in[0], bytes, MPI_BYTE,
                 (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    double sum = rank, total, all[MOST_RANKS] = {0}, each[MOST_RANKS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int dimensions = 1; dimensions <= 3; dimensions++) {
        torus[dimensions] = make_grid(dimensions, 1);
    }
    grid = make_grid(2, 0);
    for (int i = 0; i < atoi(argv[1]); i++) {
        stencil(1, 100);
        stencil(2, 8192);
        compute();
        stencil(3, 70000);
        wavefront(1024);
        ring(10);
        MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Alltoall(all, 1, MPI_DOUBLE, each, 1, MPI_DOUBLE, MPI_COMM_WORLD);
        compute();
    }
    MPI_Finalize();
    return 0;
}
