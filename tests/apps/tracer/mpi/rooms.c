/* tests/apps/tracer/mpi/rooms.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Rank 0 sends messages of 3 ints to rank 1, which has more room for each: another for each call,
 * of int. Only from a named source with a named tag is what arrives what must arrive.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, v[100] = {0}, count;
    MPI_Request r;
    MPI_Message m;
    MPI_Status s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int tag = 1; rank == 0 && tag <= 8; tag++) {
        MPI_Send(v, 3, MPI_INT, 1, tag, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Recv(v, 100, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(v, 90, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(v, 80, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(v, 0, MPI_INT, MPI_PROC_NULL, 0, v, 70, MPI_INT, MPI_ANY_SOURCE, 4,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv_replace(v, 60, MPI_INT, MPI_PROC_NULL, 0, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
        MPI_Irecv(v, 50, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Recv_init(v, 40, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &r);
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Request_free(&r);
        MPI_Mprobe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &m, &s);
        MPI_Get_count(&s, MPI_INT, &count);
        MPI_Mrecv(v, count, MPI_INT, &m, MPI_STATUS_IGNORE);
    }
    return MPI_Finalize();
}
