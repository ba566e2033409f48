/* tests/apps/tracer/mpi/comms.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Many communicators, of many kinds, some freed and made again, different ones on different ranks;
 * for 4 ranks or more. Messages in each have its size as their tag, so that a reader can tell which
 * one it was; broadcasts have it as their bytes.
 */
#include <mpi.h>

/* To the next rank of it, by a request and without; and a broadcast. */
static void use(MPI_Comm comm)
{
    int rank, size, out = 0, in[2];
    char bytes[64];
    MPI_Request r[2];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Irecv(&in[0], 1, MPI_INT, before, size, comm, &r[0]);
    MPI_Isend(&out, 1, MPI_INT, next, size, comm, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(&out, 1, MPI_INT, next, size, &in[1], 1, MPI_INT, before, size, comm,
                 MPI_STATUS_IGNORE);
    MPI_Bcast(bytes, size, MPI_CHAR, size - 1, comm);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm half, twice, grid, row, both, inter, merged, made;
    MPI_Group world, some;
    MPI_Request r;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    /* the upper half makes more than the lower: its numbers run ahead */
    MPI_Comm_split(MPI_COMM_WORLD, rank >= size / 2, -rank, &half);
    use(half);
    for (int i = 0; rank >= size / 2 && i < 5; i++) {
        MPI_Comm_dup(half, &twice);
        use(twice);
        MPI_Comm_free(&twice);
    }
    for (int i = 0; i < 3; i++) { /* the same handle again and again, every time another one */
        MPI_Comm_split(MPI_COMM_WORLD, rank % (i + 1), 0, &twice);
        use(twice);
        MPI_Comm_free(&twice);
    }
    int dims[2] = {0, 0}, periods[2] = {1, 1}, keep[2] = {0, 1};
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, keep, &row);
    use(grid);
    use(row);
    MPI_Comm_idup(row, &both, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    use(both);
    MPI_Comm_free(&row);

    /* no messages on the intercommunicator, which is not numbered; merged, it is one like others */
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank >= size / 2 ? size / 2 - 1 : size - 1, 7,
                         &inter);
    MPI_Intercomm_merge(inter, rank >= size / 2, &merged);
    use(merged);
    MPI_Comm_free(&inter);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 3, (int[]){3, 0, 1}, &some);
    MPI_Comm_create(MPI_COMM_WORLD, some, &made);
    if (made != MPI_COMM_NULL) {
        use(made);
    }
    use(half);
    return MPI_Finalize();
}
