/* tests/apps/tracer/mpi/others.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Calls that are recorded by name and time only, one of each kind: one-sided, neighbourhood, file.
 * Its argument is a folder to write a file to.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, v = 1, room = 0, got[2] = {0};
    int dims[1] = {0}, periods[1] = {1};
    char name[4096];
    MPI_Win window;
    MPI_Comm ring;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Win_create(&room, sizeof room, sizeof room, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&v, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);

    MPI_Dims_create(size, 1, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    MPI_Neighbor_allgather(&v, 1, MPI_INT, got, 1, MPI_INT, ring);
    MPI_Comm_free(&ring);

    (void)snprintf(name, sizeof name, "%s/file", argc > 1 ? argv[1] : ".");
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, (MPI_Offset)rank * 4, &v, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return MPI_Finalize();
}
